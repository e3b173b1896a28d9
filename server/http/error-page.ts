/** What a person sees when a page cannot be made at all: no script, no style, nothing that could fail too. */
export const errorPage = (message: string): string => `<!doctype html>
<html lang="ru">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="dark light">
<title>Ошибка</title>
<h1>Не получилось открыть страницу</h1>
<p>${message}</p>
<p><a href="">Попробовать ещё раз</a></p>
</html>
`;
