import { type Diagnostic, didYouMean, error } from "../../diagnostics";
import {
  type CheckDeclaration,
  type Condition,
  type Configuration,
  type Expression,
  locate,
  type OutputDeclaration,
  type ProviderDeclaration,
  programForReference,
  type ReferencedDeclaration,
  type ResourceDeclaration,
  referencedDeclaration,
  references,
  type Traversal,
  unsupportedText,
  type VariableDeclaration,
} from "../../language";
import { memoize, once } from "../../schema";
import { dependenciesBetween, Graph } from "../graph/graph";
import { importsOf } from "./check-blocks";

/** A declaration that is processed in the order of references. */
export type Node =
  | { readonly kind: "local"; readonly name: string; readonly expression: Expression }
  | { readonly kind: "provider"; readonly key: string; readonly declaration: ProviderDeclaration | undefined }
  | ResourceNode
  /** Only variables with validations. */
  | { readonly kind: "variable"; readonly declaration: VariableDeclaration }
  | { readonly kind: "check"; readonly declaration: CheckDeclaration }
  | { readonly kind: "output"; readonly declaration: OutputDeclaration };

export interface ResourceNode {
  readonly kind: "resource";
  readonly declaration: ResourceDeclaration;
  /** Whether it depends on its provider and nothing else. */
  readonly isAlone: boolean;
}

export const providerNode = (key: string): string => `provider.${key}`;

interface DeclarationSite {
  readonly address: string;
  readonly construct: string | undefined;
}

/** An expression with the attribute or argument that holds it; a local has none. */
type LabeledPart<T> = readonly [name: string | undefined, T];

/** The graph of a configuration's declarations, and its invalid references; cached for several runs. */
export const declarationGraph = memoize(buildDeclarationGraph);

function buildDeclarationGraph(configuration: Configuration): {
  readonly graph: Graph<Node>;
  readonly diagnostics: readonly Diagnostic[];
} {
  const graph = new Graph<Node>();
  const diagnostics: Diagnostic[] = [];
  const dependencies = (
    site: DeclarationSite,
    expressions: Iterable<LabeledPart<Expression>>,
    dependsOn: readonly Traversal[] = [],
  ) => {
    const found: string[] = [];
    const add = (name: string | undefined, reference: Traversal) => {
      const subject = referencedDeclaration(reference);
      diagnostics.push(
        ...checkDeclared(configuration, subject, site, name),
        ...checkScope(configuration, subject, site, name),
      );
      found.push(subject.address);
    };
    for (const [name, expression] of expressions)
      for (const reference of references(expression)) add(name, reference);
    for (const reference of dependsOn) add("depends_on", reference);
    return found;
  };
  const add = (
    node: Node,
    site: DeclarationSite,
    expressions: Iterable<LabeledPart<Expression>>,
    dependsOn: readonly Traversal[] = [],
  ) => graph.add(site.address, node, dependencies(site, expressions, dependsOn));
  for (const [name, expression] of configuration.locals) {
    const site = { address: `local.${name}`, construct: undefined };
    add({ kind: "local", name, expression }, site, [[undefined, expression]]);
  }
  for (const key of providerKeys(configuration)) {
    const declaration = configuration.providers.get(key);
    const site = { address: providerNode(key), construct: declaration?.construct };
    add({ kind: "provider", key, declaration }, site, declaration?.body ?? []);
  }
  /** Thousands of resources share the list of what they depend on. */
  const providers = new Map<string, readonly string[]>();
  configuration.resources.forEach((declaration) => {
    const provider = once(providers, declaration.provider, () => [providerNode(declaration.provider)]);
    const expressions = expressionsOf(declaration);
    if (configuration.imports.length > 0)
      expressions.push(...importExpressions(configuration, declaration.address));
    const isAlone = expressions.length + declaration.dependsOn.length === 0;
    const needed = isAlone
      ? provider
      : [...dependencies(declaration, expressions, declaration.dependsOn), ...provider];
    graph.add(declaration.address, { kind: "resource", declaration, isAlone }, needed);
  });
  for (const declaration of configuration.outputs.values()) {
    const { name, construct, value, preconditions, dependsOn } = declaration;
    const expressions = [["value", value] as const, ...conditionExpressions("precondition", preconditions)];
    add({ kind: "output", declaration }, { address: `output.${name}`, construct }, expressions, dependsOn);
  }
  for (const declaration of configuration.variables.values()) {
    if (declaration.validations.length === 0) continue;
    const site = { address: `var.${declaration.name}`, construct: declaration.construct };
    const needed = dependencies(site, conditionExpressions("validation", declaration.validations));
    graph.add(
      site.address,
      { kind: "variable", declaration },
      needed.filter((address) => address !== site.address),
    );
  }
  for (const declaration of configuration.checks.values()) {
    const { address, data, asserts } = declaration;
    const needed = dependencies(declaration, conditionExpressions("assert", asserts));
    graph.add(address, { kind: "check", declaration }, [...needed, ...(data === undefined ? [] : [data])]);
  }
  return { graph, diagnostics };
}

/**
 * Adds provider configurations that the configuration no longer declares or uses, but that objects of the
 * state need.
 */
export function addProviders(graph: Graph<Node>, keys: Iterable<string>): void {
  for (const key of keys) {
    const node = providerNode(key);
    if (!graph.has(node)) graph.add(node, { kind: "provider", key, declaration: undefined });
  }
}

/** The expressions of a resource's `import` blocks. */
const importExpressions = (configuration: Configuration, address: string): LabeledPart<Expression>[] =>
  importsOf(configuration, address)
    .flatMap(({ id, identity, key, forEach }) => [id, identity, key, forEach])
    .filter((expression) => expression !== undefined)
    .filter(
      (expression) => !references(expression).some((one) => referencedDeclaration(one).address === address),
    )
    .map((expression) => ["import", expression]);

const conditionExpressions = (block: string, conditions: readonly Condition[]): LabeledPart<Expression>[] =>
  conditions.flatMap(({ condition, errorMessage }) => [
    [block, condition] as const,
    [block, errorMessage] as const,
  ]);

/** The expressions of a resource or data source. Its conditions may refer to itself. */
function expressionsOf(declaration: ResourceDeclaration): LabeledPart<Expression>[] {
  const { address, constants, count, forEach, lifecycle } = declaration;
  const expressions: LabeledPart<Expression>[] = [];
  if (constants === undefined)
    declaration.body.forEach((expression, name) => {
      if (expression.constant === undefined) expressions.push([name, expression]);
    });
  if (count !== undefined) expressions.push(["count", count]);
  if (forEach !== undefined) expressions.push(["for_each", forEach]);
  const { replaceTriggeredBy, preconditions, postconditions } = lifecycle;
  if (replaceTriggeredBy.length + preconditions.length + postconditions.length === 0) return expressions;
  const conditions = [...preconditions, ...postconditions].flatMap(({ condition, errorMessage }) => [
    condition,
    errorMessage,
  ]);
  const isSelfReference = (expression: Expression) =>
    references(expression).some((reference) => referencedDeclaration(reference).address === address);
  for (const expression of [...replaceTriggeredBy, ...conditions.filter((one) => !isSelfReference(one))])
    expressions.push(["lifecycle", expression]);
  return expressions;
}

/** Every provider configuration that is declared or used. */
export const providerKeys = memoize(({ providers, resources }: Configuration): ReadonlySet<string> => {
  const keys = new Set(providers.keys());
  let last: string | undefined;
  resources.forEach(({ provider }) => {
    if (provider !== last) keys.add(provider);
    last = provider;
  });
  return keys;
});

/** Whether expressions may refer to an address. */
export function isDeclared({ variables, locals, resources }: Configuration, address: string): boolean {
  if (resources.has(address)) return true;
  const [kind, name] = [address.slice(0, address.indexOf(".")), address.slice(address.indexOf(".") + 1)];
  return kind === "var" ? variables.has(name) : kind === "local" && locals.has(name);
}

/** The addresses that expressions may refer to. */
const declaredAddresses = ({ variables, locals, resources }: Configuration): string[] => [
  ...[...variables.keys()].map((name) => `var.${name}`),
  ...[...locals.keys()].map((name) => `local.${name}`),
  ...resources.keys(),
];

/** The resources and data sources that a node depends on, directly or indirectly, sorted by address. */
export function resourceDependencies(graph: Graph<Node>, address: string): readonly string[] {
  const direct = graph.dependenciesOf(address);
  const isIndependent = (id: string) =>
    graph.value(id)?.kind === "provider" && graph.dependenciesOf(id).length === 0;
  // Most resources need their provider alone.
  if (direct.every(isIndependent)) return [];
  return [...graph.closure(direct)].filter((id) => graph.value(id)?.kind === "resource").sort();
}

/**
 * For each managed resource of a configuration, the managed resources that it refers to: directly, or through locals and data
 * sources, but not through other managed resources. Sorted by address.
 */
export function managedDependencies(graph: Graph<Node>): Map<string, readonly string[]> {
  const isManaged = (id: string): boolean => {
    const node = graph.value(id);
    return node?.kind === "resource" && node.declaration.mode === "managed";
  };
  return dependenciesBetween(graph.ids, (id) => graph.dependenciesOf(id), isManaged);
}

/** A data source nested in a check can only be referenced in that check. */
function checkScope(
  { resources }: Configuration,
  { address }: ReferencedDeclaration,
  site: DeclarationSite,
  name: string | undefined,
): Diagnostic[] {
  const check = resources.get(address)?.check;
  if (check === undefined || check === site.address || address === site.address) return [];
  return [
    error({
      code: "undeclared_reference",
      summary: "Reference to a data source of a check",
      detail: `"${address}" is declared inside ${check} and can't be referenced from outside. Declare a separate data source.`,
      ...locate(site, name === undefined ? undefined : [name]),
    }),
  ];
}

function checkDeclared(
  configuration: Configuration,
  { kind, address }: ReferencedDeclaration,
  site: DeclarationSite,
  name: string | undefined,
): Diagnostic[] {
  if (isDeclared(configuration, address)) return [];
  const place = locate(site, name === undefined ? undefined : [name]);
  const program = programForReference(address);
  if (program !== undefined) {
    const detail = unsupportedText(`A reference to ${address}`, program);
    return [
      error({
        code: "configuration_unsupported",
        summary: "Not supported by the embedded engine",
        detail,
        ...place,
      }),
    ];
  }
  if (kind === "repetition" || kind === "path" || kind === "terraform") return [];
  const hint = didYouMean(address, declaredAddresses(configuration), "Declare it, or check the spelling.");
  const detail =
    kind === "incomplete"
      ? `"${address}" is an incomplete reference: add the name of a declaration, such as ${address}.NAME.`
      : `"${address}" is not declared in this configuration. ${hint}`;
  return [
    error({
      code: "undeclared_reference",
      summary: "Reference to an undeclared object",
      detail,
      ...place,
    }),
  ];
}
