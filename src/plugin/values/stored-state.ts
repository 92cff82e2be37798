import type { StoredState } from "../../framework";
import type { Attributes } from "../../schema";
import type { Messages } from "../messages/generated/tfplugin6";
import { readObject } from "./read-value";
import { writeObject } from "./write-value";

/** A state with the provider's private bytes; undefined if the object is null. */
export function readState(
  attributes: Attributes,
  dynamic: Messages["DynamicValue"] | undefined,
  bytes: Uint8Array,
): StoredState | undefined {
  const found = readObject(attributes, dynamic);
  if (found === undefined) return undefined;
  return { attributes: found, ...(bytes.length > 0 && { private: toBase64(bytes) }) };
}

/** Private bytes in the provider's form. */
export const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

/** A state in the protocol's two fields; null without a state. */
export const writeState = (attributes: Attributes, state: StoredState | undefined) => ({
  value: writeObject(attributes, state?.attributes),
  bytes: Buffer.from(state?.private ?? "", "base64"),
});
