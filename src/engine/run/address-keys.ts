const KEY = /\[(?:[0-9]+|"(?:[^"\\]|\\.)*")\]/;
const LAST_KEY = new RegExp(`${KEY.source}$`);
const EVERY_KEY = new RegExp(KEY.source, "g");

/** The address of an instance's resource. */
export const withoutKey = (address: string): string => address.replace(LAST_KEY, "");

/** The address of an object's declaration: without the keys of modules as well. */
export const withoutKeys = (address: string): string => address.replace(EVERY_KEY, "");
