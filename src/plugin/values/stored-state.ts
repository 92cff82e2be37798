import { fail } from "../../diagnostics";
import type { StoredState } from "../../framework";
import {
  type Attributes,
  type AttributeType,
  attributeList,
  type IdentitySchema,
  isNested,
  memoize,
  type ValueObject,
  wireIdentityAttribute,
} from "../../schema";
import type { Sent } from "../messages/codec";
import type { Messages } from "../messages/generated/tfplugin6";
import { readObject, writeObject } from "./wire-value";

/** Reads a state with the provider's private bytes. Returns undefined if the object is null. */
export function readState(
  attributes: Attributes,
  dynamic: Messages["DynamicValue"] | undefined,
  bytes: Uint8Array,
): StoredState | undefined {
  const found = readObject(attributes, dynamic);
  return found && withPrivate(found, bytes);
}

/** Returns a state with the attributes and the private bytes of one request. */
export const withPrivate = (attributes: ValueObject, bytes: Uint8Array): StoredState => ({
  attributes,
  ...(bytes.length > 0 && { private: toBase64(bytes) }),
});

/** Converts private bytes to the protocol's form. If the bytes are absent, the result is empty. */
const fromBase64 = (bytes: string | undefined): Uint8Array => Buffer.from(bytes ?? "", "base64");

/** Converts private bytes to base64, the provider's form. */
export const toBase64 = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString("base64");

/** A state in the protocol's two fields. */
interface WrittenState {
  readonly value: Sent<Messages["DynamicValue"]>;
  readonly bytes: Uint8Array;
}

/** Writes a state into the protocol's two fields. Without a state, the value is null. */
export const writeState = (attributes: Attributes, state: StoredState | undefined): WrittenState => ({
  value: writeObject(attributes, state?.attributes),
  bytes: fromBase64(state?.private),
});

/** The prior state in a request: decoded, and as it was received. */
type CameState = { readonly state: StoredState | undefined } & WrittenState;

/**
 * Writes a state into the protocol's two fields. If the state equals the prior state, it is sent back exactly as
 * received. For a state with numbers, the received form is used only in a plan, because Terraform compares planned
 * values as numbers. Terraform compares refreshed states by the representation of their values, and equal numbers
 * can differ in representation.
 */
export const writeKept = (
  attributes: Attributes,
  state: StoredState | undefined,
  came: CameState,
  isPlanned: boolean,
): WrittenState => ({
  value:
    state !== undefined &&
    state.attributes === came.state?.attributes &&
    (isPlanned || !hasNumbers(attributes))
      ? came.value
      : writeObject(attributes, state?.attributes),
  bytes:
    state !== undefined && state.private === came.state?.private ? came.bytes : fromBase64(state?.private),
});

const hasNumbers = memoize((attributes: Attributes): boolean =>
  attributeList(attributes).some(({ attribute: { type } }) =>
    isNested(type) ? hasNumbers(type.nested) : isNumber("element" in type ? type.element : type),
  ),
);

const isNumber = ({ kind }: AttributeType): boolean => kind === "number" || kind === "dynamic";

type Data = Messages["ResourceIdentityData"];

/**
 * Writes the identity of a state. Returns undefined if there is no state, or if the resource of the state has no
 * identity.
 */
export const writeIdentity = (
  schema: IdentitySchema | undefined,
  identity: StoredState["identity"],
): Sent<Data> | undefined =>
  schema === undefined || identity === undefined
    ? undefined
    : { identityData: writeObject(schema.attributes, identity) };

/** Reads the identity in a request. @throws DiagnosticError if the resource has no identity, or the identity is null */
export function readIdentity(
  type: string,
  schema: IdentitySchema | undefined,
  { identityData }: Data,
): ValueObject {
  const identity = schema && readObject(schema.attributes, identityData);
  return (
    identity ??
    fail({
      code: "invalid_import_id",
      summary: "Invalid import identity",
      detail: `The import of a ${type} has an empty identity, or the resource has no identity. Import it by its ID.`,
    })
  );
}

export const writeIdentitySchema = ({
  version,
  attributes,
}: IdentitySchema): Sent<Messages["ResourceIdentitySchema"]> => ({
  version,
  identityAttributes: Object.entries(attributes).map(([name, attribute]) => {
    const { type, description, required_for_import, optional_for_import } = wireIdentityAttribute(attribute);
    return {
      name,
      type: Buffer.from(JSON.stringify(type)),
      description,
      requiredForImport: required_for_import === true,
      optionalForImport: optional_for_import === true,
    };
  }),
});
