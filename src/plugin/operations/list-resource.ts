import type { LiveObject } from "../../framework";
import { configurationOf } from "../../schema";
import { oneLine } from "../../text";
import type { Sent } from "../messages/codec";
import type { Messages } from "../messages/generated/tfplugin6";
import type { Session } from "../session";
import { writeDiagnostic } from "../values/diagnostics";
import { writeIdentity } from "../values/stored-state";
import { readObject, writeObject } from "../values/wire-value";
import { ofListResource, ofResource, operation, required, streaming } from "./operation";

export const ValidateListResourceConfig = operation("ValidateListResourceConfig", {
  attributes: ofListResource,
  handle: ({ provider }, { typeName, config }, attributes) => ({
    diagnostics: provider.validateQuery!(typeName, required(readObject(attributes, config), "configuration")),
  }),
});

/**
 * Terraform ends at the first error, and shows nothing of a query with one. It takes no object with a warning but without
 * an identity.
 */
export const ListResource = streaming("ListResource", {
  attributes: ofListResource,
  async *handle(session, request, attributes, signal) {
    const { typeName: type, limit } = request;
    const config = required(readObject(attributes, request.config), "configuration");
    const events = session.client.queryResource!(
      // The protocol has no other word for "all" than a limit of zero.
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

/** The configuration that Terraform writes for a state. */
export const GenerateResourceConfig = operation("GenerateResourceConfig", {
  attributes: ofResource,
  handle(_session, { state }, attributes) {
    const stored = required(readObject(attributes, state), "state");
    return { config: writeObject(attributes, configurationOf(attributes, stored)) };
  },
});
