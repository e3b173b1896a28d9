// People who were imported with their posts and have not come yet. Where others have their address they have a value that is
// none, so no letter reaches them and nobody signs in as one of them.

export const importedEmail = (id: number): string => `imported ${id}`;
