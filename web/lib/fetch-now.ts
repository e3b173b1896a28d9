/** Like `fetch`, but for GET only and synchronous: it blocks the page until the response is there. For printing, which waits for no promise. */
export const fetchNow: typeof fetch = async (input, init) => {
  const { url, headers } = new Request(input, init);
  const request = new XMLHttpRequest();
  request.open('GET', url, false);
  for (const [name, value] of headers) request.setRequestHeader(name, value);
  request.send();
  const { status, responseText } = request;
  const date = request.getResponseHeader('date');
  const response = new Response(null, { status, headers: date === null ? {} : { date } });
  // Reading the body of a `Response` needs a task, but only microtasks run before the browser prints.
  return Object.assign(response, { json: async () => JSON.parse(responseText) });
};
