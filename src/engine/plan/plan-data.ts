import { hasErrors } from "../../diagnostics";
import { type Attributes, isWhollyKnown, UNKNOWN, type ValueObject } from "../../provider/schema";
import type { ResourceDeclaration } from "../config";
import { evaluateBody } from "../evaluate/body";
import { subjectOf } from "../evaluate/subject";
import { resourceDependencies } from "../run/declarations";
import type { Instance } from "../run/instances";
import { at } from "../run/objects";
import type { StackRun } from "../run/stack-run";
import { instanceFacts } from "./facts";
import type { ActionReason } from "./model";
import type { PlannedStep } from "./plan-managed";

/**
 * Reads a data source, or puts the read off until apply: where an argument isn't known yet, or something that it
 * names in `depends_on` is about to change.
 */
export async function planData(
  run: StackRun,
  declaration: ResourceDeclaration,
  instance: Instance,
  isPending: (address: string) => boolean,
): Promise<PlannedStep> {
  const { type, provider, construct } = declaration;
  const { attributes } = run.schema(declaration);
  const { address } = instance;
  const body = evaluateBody(
    declaration.body,
    attributes,
    run.evaluation,
    { address, construct },
    instance.repetition,
  );
  if (hasErrors(body.diagnostics)) return { step: undefined, diagnostics: body.diagnostics };
  const invalid = at(run.providerFor(provider)!.validateDataSource(type, body.config), address, construct);
  if (hasErrors(invalid)) return { step: undefined, diagnostics: invalid };

  const reason = deferral(declaration, body.config, isPending);
  const planned =
    reason === undefined
      ? await run.configured(provider).readDataSource({ type, config: body.config })
      : { attributes: unread(body.config, attributes), diagnostics: [] };
  const diagnostics = [...body.diagnostics, ...at(planned.diagnostics, address, construct)];
  if (planned.attributes === undefined) return { step: undefined, diagnostics };
  return {
    step: {
      change: {
        ...instanceFacts(run, declaration, instance),
        action: reason === undefined ? "no-op" : "read",
        ...(reason && { reason }),
        before: reason === undefined ? planned.attributes : null,
        after: planned.attributes,
        beforeSensitive: body.sensitive,
        afterSensitive: body.sensitive,
      },
      provider,
      declared: { declaration, instance },
      object: undefined,
      prior: undefined,
      planned: { attributes: planned.attributes },
      config: body.config,
      sensitive: body.sensitive,
      dependencies: resourceDependencies(run.graph, declaration.address),
    },
    diagnostics,
  };
}

function deferral(
  { dependsOn }: ResourceDeclaration,
  config: ValueObject,
  isPending: (address: string) => boolean,
): ActionReason | undefined {
  if (!isWhollyKnown(config)) return "read_because_config_unknown";
  const pending = dependsOn.some((traversal) => isPending(subjectOf(traversal).address));
  return pending ? "read_because_dependency_pending" : undefined;
}

/** What is known of a data source before it is read: its arguments. */
const unread = (config: ValueObject, attributes: Attributes): ValueObject =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, { presence }]) => [
      name,
      presence === "computed" ? UNKNOWN : (config[name] ?? null),
    ]),
  );
