/** URL of the web page of a project or user. */
export const webAddress = (origin: string, fullPath: string): string => `${origin}/${fullPath}`;

export const groupWebAddress = (origin: string, fullPath: string): string => `${origin}/groups/${fullPath}`;
