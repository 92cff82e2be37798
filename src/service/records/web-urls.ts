/** The page of a project, group or user for people. */
export const webAddress = (origin: string, fullPath: string): string => `${origin}/${fullPath}`;

export const groupWebAddress = (origin: string, fullPath: string): string => `${origin}/groups/${fullPath}`;
