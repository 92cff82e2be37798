import { fail } from "../../diagnostics";
import { parseJson } from "../../json";
import type { ValueObject } from "../../schema";
import { readState, writeState } from "../values/stored-state";
import { writeObject } from "../values/write-value";
import { attributesOf, given, ofResource, operation } from "./operation";

/** Asked for every resource in every walk, with the state as it stands in the file. */
export const upgradeResourceState = operation("UpgradeResourceState", {
  attributes: ofResource,
  answer({ provider }, { typeName, version, rawState }, attributes) {
    const { json } = given(rawState, "state");
    if (json.length === 0) return fail(tooOld(typeName));
    const stored = parseJson(Buffer.from(json).toString()) as ValueObject;
    const upgraded = provider.upgradeResource(typeName, version, stored);
    return {
      ...(upgraded.attributes && { upgradedState: writeObject(attributes, upgraded.attributes) }),
      diagnostics: upgraded.diagnostics,
    };
  },
});

const tooOld = (type: string) =>
  ({
    code: "state_too_old",
    summary: "State in the format of an old Terraform",
    detail:
      `The state of this ${type} was written by a Terraform before 0.12. Run \`terraform apply -refresh-only\` with ` +
      "Terraform 0.12 on it once, or remove it from the state and import the object anew.",
  }) as const;

export const readResource = operation("ReadResource", {
  attributes: ofResource,
  async answer(session, { typeName: type, currentState, private: bytes }, attributes) {
    const state = given(readState(attributes, currentState, bytes), "state");
    const read = await session.client.readResource({ type, state });
    const { value, bytes: newBytes } = writeState(attributes, read.state);
    return { newState: value, private: newBytes, diagnostics: read.diagnostics };
  },
});

export const importResourceState = operation("ImportResourceState", {
  attributes: ofResource,
  async answer(session, { typeName, id }, attributes) {
    const { state, diagnostics } = await session.client.importResource({ type: typeName, id });
    const { value, bytes } = writeState(attributes, state);
    return {
      importedResources: state === undefined ? [] : [{ typeName, state: value, private: bytes }],
      diagnostics,
    };
  },
});

/** Asked before the provider is configured, with the state as the other provider wrote it. */
export const moveResourceState = operation("MoveResourceState", {
  attributes: ({ resources }, { targetTypeName }) => attributesOf(resources, targetTypeName),
  answer({ provider }, request, attributes) {
    const { json } = given(request.sourceState, "state");
    if (json.length === 0) return fail(tooOld(request.sourceTypeName));
    const { state, diagnostics } = provider.moveResource({
      sourceType: request.sourceTypeName,
      sourceProvider: request.sourceProviderAddress,
      sourceVersion: request.sourceSchemaVersion,
      sourceState: parseJson(Buffer.from(json).toString()) as ValueObject,
      type: request.targetTypeName,
    });
    const { value, bytes } = writeState(attributes, state);
    return { ...(state && { targetState: value, targetPrivate: bytes }), diagnostics };
  },
});
