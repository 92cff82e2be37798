import { fail } from "../../diagnostics";
import { whenKnown } from "../../framework";
import { parseJson } from "../../json";
import type { ValueObject } from "../../schema";
import type { Messages } from "../messages/generated/tfplugin6";
import { readIdentity, withPrivate, writeIdentity, writeKept, writeState } from "../values/stored-state";
import { readObject, writeObject } from "../values/wire-value";
import { attributesOf, identityOf, ofDataSource, ofResource, operation, required } from "./operation";

/** Called for every resource in every walk, with the state in the file. */
export const UpgradeResourceState = operation("UpgradeResourceState", {
  attributes: ofResource,
  handle({ provider }, { typeName, version, rawState }, attributes) {
    const upgraded = provider.upgradeResource(typeName, version, storedState(typeName, rawState));
    return {
      ...(upgraded.attributes && { upgradedState: writeObject(attributes, upgraded.attributes) }),
      diagnostics: upgraded.diagnostics,
    };
  },
});

/** A state as a program stored it. @throws DiagnosticError if that was before it had JSON */
function storedState(type: string, raw: Messages["RawState"] | undefined): ValueObject {
  const { json } = required(raw, "state");
  if (json.length > 0) return parseJson(Buffer.from(json).toString()) as ValueObject;
  return fail({
    code: "state_too_old",
    summary: "State format of an old Terraform",
    detail:
      `The state of this ${type} was written by a Terraform before 0.12. ` +
      "Run `terraform apply -refresh-only` with Terraform 0.12 on it once, or remove it from the state " +
      "and import the object again.",
  });
}

export const UpgradeResourceIdentity = operation("UpgradeResourceIdentity", {
  handle(session, { typeName, version, rawIdentity }) {
    const { json } = required(rawIdentity, "identity");
    const stored = (parseJson(Buffer.from(json).toString()) ?? {}) as ValueObject;
    const upgraded = session.provider.upgradeIdentity?.(typeName, version, stored);
    return {
      upgradedIdentity: writeIdentity(identityOf(session, typeName), upgraded?.identity),
      diagnostics: upgraded?.diagnostics ?? [],
    };
  },
});

export const ReadResource = operation("ReadResource", {
  attributes: ofResource,
  handle(session, { typeName: type, currentState, private: bytes }, attributes) {
    const state = withPrivate(required(session.seen.first(attributes, currentState), "state"), bytes);
    return whenKnown(session.judge(session.client.readResource({ type, state }), true), (read) => {
      const came = { state, value: currentState!, bytes };
      const { value, bytes: newBytes } = writeKept(attributes, read.state, came, false);
      return {
        newState: value,
        private: newBytes,
        newIdentity: writeIdentity(identityOf(session, type), read.state?.identity),
        diagnostics: read.diagnostics,
      };
    });
  },
});

export const ImportResourceState = operation("ImportResourceState", {
  attributes: ofResource,
  async handle(session, { typeName, id, identity: target }, attributes) {
    const schema = identityOf(session, typeName);
    const { state, diagnostics } = await session.client.importResource(
      target === undefined
        ? { type: typeName, id }
        : { type: typeName, identity: readIdentity(typeName, schema, target) },
    );
    const { value, bytes } = writeState(attributes, state);
    const identity = writeIdentity(schema, state?.identity);
    const imported = { typeName, state: value, private: bytes, identity };
    return { importedResources: state === undefined ? [] : [imported], diagnostics };
  },
});

/** Called before the provider is configured, with the state of the other provider. */
export const MoveResourceState = operation("MoveResourceState", {
  attributes: ({ resources }, { targetTypeName }) => attributesOf(resources, targetTypeName),
  handle(session, request, attributes) {
    const { state, diagnostics } = session.provider.moveResource({
      sourceType: request.sourceTypeName,
      sourceProvider: request.sourceProviderAddress,
      sourceVersion: request.sourceSchemaVersion,
      sourceState: storedState(request.sourceTypeName, request.sourceState),
      type: request.targetTypeName,
    });
    const { value, bytes } = writeState(attributes, state);
    return {
      ...(state && { targetState: value, targetPrivate: bytes }),
      targetIdentity: writeIdentity(identityOf(session, request.targetTypeName), state?.identity),
      diagnostics,
    };
  },
});

export const ReadDataSource = operation("ReadDataSource", {
  attributes: ofDataSource,
  async handle(session, { typeName: type, config }, attributes) {
    const read = await session.client.readDataSource({
      type,
      config: required(readObject(attributes, config), "configuration"),
    });
    return { state: writeObject(attributes, read.attributes), diagnostics: read.diagnostics };
  },
});
