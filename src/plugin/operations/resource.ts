import { fail } from "../../diagnostics";
import { continueWith, type LiveObject } from "../../framework";
import { parseJson } from "../../json";
import { configurationOf, type ValueObject } from "../../schema";
import { oneLine } from "../../text";
import type { Sent } from "../messages/codec";
import type { Messages } from "../messages/generated/tfplugin6";
import type { Session } from "../session";
import { diagnosticsOf, writeDiagnostic, writePath } from "../values/diagnostics";
import {
  readIdentity,
  readState,
  toBase64,
  withPrivate,
  writeIdentity,
  writeKept,
  writeState,
} from "../values/stored-state";
import { isNull, readObject, writeObject } from "../values/wire-value";
import {
  attributesOf,
  configurationIn,
  identityOf,
  ofDataSource,
  ofListResource,
  ofResource,
  operation,
  required,
  streaming,
} from "./operation";

/**
 * Converts the state of an object to the current schema. Terraform calls this procedure for every object, each time it
 * reads the state.
 */
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

/**
 * Returns the attributes of a stored state, in the format of the program that stored them.
 *
 * @throws DiagnosticError if the program used the format from before JSON
 */
function storedState(type: string, raw: Messages["RawState"] | undefined): ValueObject {
  const { json } = required(raw, "state");
  if (json.length > 0) return parseJson(Buffer.from(json).toString()) as ValueObject;
  return fail({
    code: "state_too_old",
    summary: "State of an old Terraform",
    detail: `A Terraform before 0.12 wrote the state of this ${type}. Run \`terraform apply -refresh-only\` once with Terraform 0.12. Otherwise remove the object from the state and import it again.`,
  });
}

export const UpgradeResourceIdentity = operation("UpgradeResourceIdentity", {
  handle(session, { typeName, version, rawIdentity }) {
    const { json } = required(rawIdentity, "identity");
    const stored = (parseJson(Buffer.from(json).toString()) ?? {}) as ValueObject;
    const upgraded = session.provider.upgradeIdentity?.(typeName, version, stored);
    return {
      upgradedIdentity: writeIdentity(identityOf(session, typeName), upgraded?.attributes),
      diagnostics: upgraded?.diagnostics ?? [],
    };
  },
});

export const ReadResource = operation("ReadResource", {
  attributes: ofResource,
  handle(session, { typeName: type, currentState, private: bytes }, attributes) {
    const state = withPrivate(required(session.seen.first(attributes, currentState), "state"), bytes);
    return continueWith(session.judge(session.client.readResource({ type, state }), true), (read) => {
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

/**
 * Converts the state of another provider's object to a resource type of this provider. Terraform calls this procedure before
 * it configures the provider.
 */
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
  async handle(session, request, attributes) {
    const config = configurationIn(attributes, request);
    const read = await session.client.readDataSource({ type: request.typeName, config });
    return { state: writeObject(attributes, read.attributes), diagnostics: read.diagnostics };
  },
});

export const PlanResourceChange = operation("PlanResourceChange", {
  attributes: ofResource,
  handle(session, request, attributes) {
    const { typeName: type, priorState, proposedNewState, priorPrivate } = request;
    const { seen } = session;
    const known = seen.again(attributes, priorState);
    const prior = known && withPrivate(known, priorPrivate);
    if (isNull(proposedNewState)) {
      return continueWith(prior && session.client.planDestroy({ type, prior }), (asked) => {
        const { value } = writeState(attributes, undefined);
        return { plannedState: value, plannedPrivate: priorPrivate, diagnostics: asked?.diagnostics ?? [] };
      });
    }
    const config = required(seen.again(attributes, request.config), "configuration");
    const before = plannedBefore(request);
    const asked = session.client.planResource({
      type,
      prior,
      config,
      existing: "refuse",
      ...(prior === undefined && before.length > 0 && { plannedBefore: toBase64(before) }),
    });
    return continueWith(prior === undefined ? session.judge(asked) : asked, (plan) => {
      const came = { state: prior, value: priorState!, bytes: priorPrivate };
      const { value, bytes } = writeKept(attributes, plan.planned, came, true);
      return {
        plannedState: value,
        plannedPrivate: bytes,
        plannedIdentity: writeIdentity(identityOf(session, type), plan.planned?.identity),
        requiresReplace: plan.requiresReplace.map((path) => writePath(attributes, path)),
        diagnostics: plan.diagnostics.map((one) =>
          one.code === "already_exists" && !request.clientCapabilities?.storePlannedPrivate
            ? { ...one, detail: `${one.detail} ${IF_REPLACED}` }
            : one,
        ),
      };
    });
  },
});

/**
 * The advice for a client that does not store planned private bytes. During apply, such a client sends no plan. If a
 * replacement creates before it deletes, the new object seems to exist already.
 */
const IF_REPLACED = "If this apply replaces it, first remove its address from the state.";

/**
 * Returns the private bytes of an earlier plan of the requested change. A replacement is planned a second time, with
 * the bytes of the first plan. If Terraform 1.16 or later plans again during apply, it sends the bytes of the plan.
 * If older releases of Terraform, or OpenTofu, plan again during apply, they send no bytes.
 */
const plannedBefore = ({
  priorPrivate,
  plannedPrivate,
}: Pick<Messages["PlanResourceChange.Request"], "priorPrivate" | "plannedPrivate">): Uint8Array =>
  priorPrivate.length > 0 ? priorPrivate : plannedPrivate;

export const ApplyResourceChange = operation("ApplyResourceChange", {
  attributes: ofResource,
  async handle(session, request, attributes) {
    const { typeName: type, priorState, plannedPrivate } = request;
    try {
      const applied = await session.apply({
        type,
        prior: readState(attributes, priorState, plannedPrivate),
        planned: readState(attributes, request.plannedState, plannedPrivate),
        config: readObject(attributes, request.config),
      });
      const { value, bytes } = writeState(attributes, applied.state);
      return {
        newState: value,
        private: bytes,
        newIdentity: writeIdentity(identityOf(session, type), applied.state?.identity),
        diagnostics: applied.diagnostics,
      };
    } catch (problem) {
      // After an unexpected error, the prior state is the best known state.
      return {
        newState: required(priorState, "prior state"),
        private: plannedPrivate,
        newIdentity: isNull(priorState) ? undefined : request.plannedIdentity,
        diagnostics: diagnosticsOf(problem),
      };
    }
  },
});

export const ValidateListResourceConfig = operation("ValidateListResourceConfig", {
  attributes: ofListResource,
  handle: ({ provider }, request, attributes) => ({
    diagnostics: provider.validateQuery!(request.typeName, configurationIn(attributes, request)),
  }),
});

/**
 * Lists the objects of a resource type. Terraform ends a query at the first error, and shows none of the query's
 * results. Terraform accepts no object that has a warning but no identity.
 */
export const ListResource = streaming("ListResource", {
  attributes: ofListResource,
  async *handle(session, request, attributes, signal) {
    const { typeName: type, limit } = request;
    const config = configurationIn(attributes, request);
    const events = session.client.queryResource!(
      // In the protocol, a limit of zero means all objects.
      { type, config, limit: limit > 0 ? limit : undefined },
      signal,
    );
    for await (const { object, diagnostics } of events) {
      yield {
        ...(object && writeListed(session, object, request.includeResourceObject)),
        diagnostic: diagnostics.map((one) => writeDiagnostic(attributes, session.dedupeCauses(one))),
      };
    }
  },
  report: (diagnostic) => ({ diagnostic }),
});

function writeListed(
  { provider: { schema } }: Session,
  { type, name, state }: LiveObject,
  isComplete: boolean,
): Sent<Messages["ListResource.Event"]> {
  const { attributes, identity } = schema.resources[type]!;
  return {
    displayName: oneLine(name),
    identity: writeIdentity(identity, state.identity)!,
    ...(isComplete && { resourceObject: writeObject(attributes, state.attributes) }),
  };
}

/** Returns the configuration that Terraform writes for a state. */
export const GenerateResourceConfig = operation("GenerateResourceConfig", {
  attributes: ofResource,
  handle(_session, { state }, attributes) {
    const stored = required(readObject(attributes, state), "state");
    return { config: writeObject(attributes, configurationOf(attributes, stored)) };
  },
});
