const KEY = /\[(?:[0-9]+|"(?:[^"\\]|\\.)*")\]/;
const LAST_KEY = new RegExp(`${KEY.source}$`);
const EVERY_KEY = new RegExp(KEY.source, "g");

/** Removes the key of an instance from an address, such as `[0]` or `["a"]`. The result is the address of the resource. */
export const withoutKey = (address: string): string => address.replace(LAST_KEY, "");

/** Removes all keys from an address, including the keys of modules. The result is the address of the declaration. */
export const withoutKeys = (address: string): string => address.replace(EVERY_KEY, "");
