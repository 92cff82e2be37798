import type { StoredState } from "../../framework";
import type { Attributes } from "../../schema";
import type { Messages } from "../messages/generated/tfplugin6";
import { readObject } from "./read-value";
import { writeObject } from "./write-value";

/** A state and the provider's private bytes beside it; nothing where the object is null. */
export function readState(
  attributes: Attributes,
  dynamic: Messages["DynamicValue"] | undefined,
  bytes: Uint8Array,
): StoredState | undefined {
  const found = readObject(attributes, dynamic);
  if (found === undefined) return undefined;
  return { attributes: found, ...(bytes.length > 0 && { private: toBase64(bytes) }) };
}

/** Private bytes as the provider has them. */
export const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

/** The two parts of a state as the protocol sends them; a null value where there is no state. */
export const writeState = (attributes: Attributes, state: StoredState | undefined) => ({
  value: writeObject(attributes, state?.attributes),
  bytes: Buffer.from(state?.private ?? "", "base64"),
});
