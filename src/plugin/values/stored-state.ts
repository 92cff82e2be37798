import type { StoredState } from "../../framework";
import type { Attributes } from "../../schema";
import type { Sent } from "../messages/codec";
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
export const toBase64 = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString("base64");

/** A state in the protocol's two fields. */
interface WrittenState {
  readonly value: Sent<Messages["DynamicValue"]>;
  readonly bytes: Uint8Array;
}

/** A state in the protocol's two fields; null without a state. */
export const writeState = (attributes: Attributes, state: StoredState | undefined): WrittenState => ({
  value: writeObject(attributes, state?.attributes),
  bytes: Buffer.from(state?.private ?? "", "base64"),
});

/**
 * A planned state in the protocol's two fields: as it came, where the plan kept every value of the prior state. Only a
 * plan may send back numbers as they came, which are integers there: Terraform compares planned values as numbers,
 * and states of a refresh as they are represented.
 *
 * @param came the prior state, as it was read and as it came
 */
export function writePlanned(
  attributes: Attributes,
  planned: StoredState | undefined,
  came: { readonly state: StoredState | undefined } & WrittenState,
): WrittenState {
  const { state: prior, value, bytes } = came;
  if (planned === undefined || prior === undefined) return writeState(attributes, planned);
  const isSame = Object.keys(attributes).every((name) => planned.attributes[name] === prior.attributes[name]);
  return {
    value: isSame ? value : writeObject(attributes, planned.attributes),
    bytes: planned.private === prior.private ? bytes : Buffer.from(planned.private ?? "", "base64"),
  };
}
