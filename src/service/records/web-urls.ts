/** A fixture may give paths that a URL has to encode. */
const encoded = (fullPath: string): string => fullPath.split("/").map(encodeURIComponent).join("/");

/** URL of the web page of a project or user. */
export const webAddress = (origin: string, fullPath: string): string => `${origin}/${encoded(fullPath)}`;

export const groupWebAddress = (origin: string, fullPath: string): string =>
  `${origin}/groups/${encoded(fullPath)}`;
