import {
  type Configuration,
  compareText,
  type Expression,
  loadLabelled,
  type ResourceDeclaration,
  references,
  sensitiveAttributes,
  type Traversal,
  toPlain,
  unmarkDeep,
} from "../../language";
import { type Attributes, isWhollyKnown } from "../../schema";
import { type Json, type JsonObject, type ResourceState, type State, StateEditor } from "../../state";
import { providerAddress } from "../objects/objects";
import type { StackRun } from "../stack-run/stack-run";
import { unknownsAsNull } from "../steps/data-sources";
import {
  type ExecutablePlan,
  type Step,
  schemaOf,
  stateInstance,
  storedValues,
  storeFound,
} from "../steps/steps";
import { attributesOf, present } from "./changes";
import { parseReference, referenceTexts } from "./relevant-attributes";
import { stateView } from "./state-json";

/** The parts of a plan that determine the refreshed state. */
export interface Refreshable extends Pick<ExecutablePlan, "movedState" | "drifted" | "outputs"> {
  readonly steps: () => readonly Step[];
}

/**
 * Returns the state on which a plan is based. The state contains refreshed objects, data sources that were read and, as
 * in Terraform, known outputs.
 */
function refreshedState(run: StackRun, plan: Refreshable): State {
  const editor = new StateEditor(plan.movedState);
  editor.removeResources(({ mode }) => mode === "data");
  storeFound(run, editor, plan.drifted);
  for (const step of plan.steps()) {
    const { change, object, provider, sensitive } = step;
    const prior = step.prior;
    const { mode, type, name, indexKey: key } = change;
    if (object !== undefined && prior !== undefined && !object.isForeign)
      editor.put(object.resource, { ...object.instance, ...storedValues(prior, schemaOf(run, step)) });
    const isRead = change.action === "no-op" || change.reason === "read_because_check_nested";
    if (mode === "managed" || !isRead) continue;
    const schema = schemaOf(run, step);
    editor.put(
      { mode, type, name, provider: providerAddress(change.provider, provider) },
      stateInstance(unknownsAsNull(step.planned!), schema, { key, sensitive, dependencies: [] }),
    );
  }
  for (const { name, action, after, afterType, sensitive } of plan.outputs) {
    if (action === "no-op" || action === "delete" || afterType === undefined) continue;
    if (after !== null && isWhollyKnown(after))
      editor.setOutput(name, { value: after as Json, type: afterType, sensitive });
  }
  return editor.snapshot();
}

/** Returns the refreshed state in the format of `terraform show -json`; undefined if this state is empty. */
export function priorState(run: StackRun, found: Refreshable): JsonObject | undefined {
  const state = refreshedState(run, found);
  if (state.resources.length === 0 && Object.keys(state.outputs).length === 0) return undefined;
  const sensitive = (resource: ResourceState) =>
    sensitiveAttributes(attributesOf(run.context.providers, resource) ?? {}).map((path) =>
      path.map((attribute) => ({ attribute: String(attribute) })),
    );
  return stateView(state, sensitive);
}

/** Returns the value of a root variable; null if the variable could not be evaluated. */
export function variableValue(run: StackRun, name: string): Json {
  const value = run.evaluation.get(`var.${name}`);
  return value === undefined ? null : (toPlain(unmarkDeep(value).value) as Json);
}

/** A block of the source file, before its expressions are parsed. */
type SourceBlock = Readonly<Record<string, unknown>>;

/**
 * Formats a configuration as `terraform show -json` does. For an expression in JSON syntax, `constant_value` is the source text
 * with its templates, and the references are next to it. Values that a schema or a variable marks as sensitive are left out.
 */
export function configurationJson(run: StackRun): JsonObject {
  const { configuration } = run.context;
  const source = sourceBlocks(configuration);
  const outputs = byName(configuration.outputs, ({ sensitive, value, dependsOn }, name) => {
    const { description } = source("output", name);
    return {
      ...(sensitive && { sensitive }),
      expression: expressionJson(source("output", name)["value"], value),
      ...dependsOnJson(dependsOn),
      ...(typeof description === "string" && { description }),
    };
  });
  const resources = [...configuration.resources.values()]
    .sort(inOrder)
    .map((declaration) =>
      resourceJson(run, declaration, source(blockOf(declaration), declaration.type, declaration.name)),
    );
  const variables = byName(configuration.variables, ({ sensitive }, name) =>
    variableJson(source("variable", name), sensitive),
  );
  return {
    ...present("provider_config", providersJson(run, source)),
    root_module: {
      ...present("outputs", outputs),
      ...(resources.length > 0 && { resources }),
      ...present("variables", variables),
    },
  };
}

const byName = <T>(all: ReadonlyMap<string, T>, show: (one: T, name: string) => JsonObject): JsonObject =>
  Object.fromEntries([...all.keys()].sort(compareText).map((name) => [name, show(all.get(name)!, name)]));

const blockOf = ({ mode }: ResourceDeclaration): string => (mode === "managed" ? "resource" : "data");

const inOrder = (one: ResourceDeclaration, other: ResourceDeclaration): number =>
  compareText(other.mode, one.mode) || compareText(one.address, other.address);

/** Returns a function that finds a block of the source files by its keyword and labels. */
function sourceBlocks({ files }: Configuration): SourceBlocks {
  const blocks = new Map<string, SourceBlock>();
  const depths = { provider: 1, variable: 1, output: 1, resource: 2, data: 2 };
  for (const { json } of files)
    for (const [keyword, depth] of Object.entries(depths))
      loadLabelled(json[keyword], keyword, depth, (labels, body) => {
        const { alias } = body;
        const isAliased = keyword === "provider" && typeof alias === "string";
        blocks.set([keyword, ...(isAliased ? [`${labels[0]}.${alias}`] : labels)].join(" "), body);
      });
  return (...words) => blocks.get(words.join(" ")) ?? {};
}

type SourceBlocks = (...words: readonly string[]) => SourceBlock;

function providersJson(run: StackRun, source: SourceBlocks): JsonObject {
  const { providers, requiredProviders, resources } = run.context.configuration;
  const used = [...resources.values()].map(({ provider }) => provider);
  const keys = [...new Set([...requiredProviders.keys(), ...providers.keys(), ...used])].sort(compareText);
  return Object.fromEntries(
    keys.map((key) => {
      const declaration = providers.get(key);
      const schema = run.providerFor(key)?.schema.provider.attributes ?? {};
      const expressions = expressionsJson(declaration?.body ?? new Map(), source("provider", key), schema);
      return [
        key,
        {
          name: key.split(".")[0]!,
          full_name: run.source(key),
          ...(declaration?.alias !== undefined && { alias: declaration.alias }),
          ...present("expressions", expressions),
        },
      ];
    }),
  );
}

function resourceJson(run: StackRun, declaration: ResourceDeclaration, source: SourceBlock): JsonObject {
  const { address, mode, type, name, provider, body, count, forEach, dependsOn } = declaration;
  const { version, attributes } = run.schema(declaration);
  return {
    address,
    mode,
    type,
    name,
    provider_config_key: provider,
    ...present("expressions", expressionsJson(body, source, attributes)),
    schema_version: version,
    ...(forEach && { for_each_expression: expressionJson(source["for_each"], forEach) }),
    ...(count && { count_expression: expressionJson(source["count"], count) }),
    ...dependsOnJson(dependsOn),
  };
}

const expressionsJson = (
  body: ReadonlyMap<string, Expression>,
  source: SourceBlock,
  attributes: Attributes,
): JsonObject =>
  Object.fromEntries(
    [...body.keys()].sort(compareText).map((name) => {
      const json = expressionJson(source[name], body.get(name)!);
      const { constant_value: _, ...rest } = json;
      return [name, attributes[name]?.text.sensitive ? rest : json];
    }),
  );

function expressionJson(source: unknown, expression: Expression): JsonObject {
  const texts = references(expression).flatMap(referenceTexts);
  return { constant_value: (source ?? null) as Json, ...(texts.length > 0 && { references: texts }) };
}

const variableJson = ({ default: value, description }: SourceBlock, sensitive: boolean): JsonObject => ({
  ...(value !== undefined && !sensitive && { default: value as Json }),
  ...(typeof description === "string" && { description }),
  ...(sensitive && { sensitive }),
});

const dependsOnJson = (dependsOn: readonly Traversal[]): JsonObject =>
  dependsOn.length === 0 ? {} : { depends_on: dependsOn.map((one) => parseReference(one).instance) };
