import { fail } from "../../diagnostics";
import type { StoredState } from "../../framework";
import type { IdentitySchema, ValueObject } from "../../schema";
import { wireIdentityAttribute } from "../../schema";
import type { Sent } from "../messages/codec";
import type { Messages } from "../messages/generated/tfplugin6";
import { readObject } from "./read-value";
import { writeObject } from "./write-value";

type Data = Messages["ResourceIdentityData"];

/** The identity of a state; undefined if there is no state, or its resource has no identity. */
export const writeIdentity = (
  schema: IdentitySchema | undefined,
  identity: StoredState["identity"],
): Sent<Data> | undefined =>
  schema === undefined || identity === undefined
    ? undefined
    : { identityData: writeObject(schema.attributes, identity) };

/** @throws DiagnosticError if the resource has no identity, or the identity is null */
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
      detail: `The import of a ${type} has an identity without values, or the resource has none. Import it by its id.`,
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
