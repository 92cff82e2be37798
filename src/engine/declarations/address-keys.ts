const KEY = /\[(?:[0-9]+|"(?:[^"\\]|\\.)*")\]/;
const LAST_KEY = new RegExp(`${KEY.source}$`);
const EVERY_KEY = new RegExp(KEY.source, "g");

/** The address of an instance's resource. */
export const withoutKey = (address: string): string => address.replace(LAST_KEY, "");

/** Returns the address of an object's declaration, also without the keys of modules. */
export const withoutKeys = (address: string): string => address.replace(EVERY_KEY, "");
