import { type Diagnostic, type DiagnosticText, didYouMean, error } from "../../diagnostics";
import {
  type CheckDeclaration,
  type Condition,
  type Configuration,
  type Expression,
  locate,
  notSupported,
  type OutputDeclaration,
  type ProviderDeclaration,
  programForReference,
  type ReferencedDeclaration,
  type ResourceDeclaration,
  referencedDeclaration,
  references,
  type Traversal,
  type VariableDeclaration,
} from "../../language";
import { memoize, once } from "../../schema";
import { importsOf } from "./check-blocks";
import { dependenciesBetween, Graph } from "./graph";

/** A node of the graph. The graph orders declarations by their references. The id of a node is the address of its declaration. */
export type Node =
  | { readonly kind: "local" }
  | { readonly kind: "provider"; readonly key: string }
  | ResourceNode
  /** A variable with validations. Other variables are not in the graph. */
  | { readonly kind: "variable" }
  | { readonly kind: "check" }
  | { readonly kind: "output" };

interface ResourceNode {
  readonly kind: "resource";
  readonly mode: ResourceDeclaration["mode"];
  /** Whether the declaration depends only on its provider. */
  readonly isAlone: boolean;
}

/** The declaration of a node, with its content. A `Node` contains only the facts that the graph needs. */
export type Declared =
  | { readonly kind: "local"; readonly expression: Expression }
  | { readonly kind: "provider"; readonly key: string; readonly declaration: ProviderDeclaration | undefined }
  | DeclaredResource
  | { readonly kind: "variable"; readonly declaration: VariableDeclaration }
  | { readonly kind: "check"; readonly declaration: CheckDeclaration }
  | { readonly kind: "output"; readonly declaration: OutputDeclaration };

export interface DeclaredResource extends Pick<ResourceNode, "kind" | "isAlone"> {
  readonly declaration: ResourceDeclaration;
}

/** Returns the declaration of a node, by the id of the node. */
export function declarationOf(configuration: Configuration, id: string, node: Node): Declared {
  const name = id.slice(id.indexOf(".") + 1);
  switch (node.kind) {
    case "local":
      return { kind: "local", expression: configuration.locals.get(name)! };
    case "provider":
      return { kind: "provider", key: node.key, declaration: configuration.providers.get(node.key) };
    case "resource":
      return { kind: "resource", declaration: configuration.resources.get(id)!, isAlone: node.isAlone };
    case "variable":
      return { kind: "variable", declaration: configuration.variables.get(name)! };
    case "check":
      return { kind: "check", declaration: configuration.checks.get(name)! };
    case "output":
      return { kind: "output", declaration: configuration.outputs.get(name)! };
  }
}

/** Returns whether a reference contains names that can be checked without a value, such as the name of a resource's attribute. */
const isChecked = ({ kind, steps }: ReferencedDeclaration, reference: Traversal): boolean =>
  kind === "resource" || kind === "data"
    ? reference.steps.length > steps
    : kind === "repetition" || kind === "path" || kind === "terraform";

export const providerNode = (key: string): string => `provider.${key}`;

interface DeclarationSite {
  readonly address: string;
  readonly construct: string | undefined;
}

/**
 * An expression or a reference, with the name of the attribute or argument that contains it. In a local, the name is undefined.
 */
type LabeledPart<T> = readonly [name: string | undefined, T];

/** A reference whose names can be checked before any value is known, such as the name of a resource's attribute. */
export interface ReferenceUse {
  readonly site: DeclarationSite;
  /** The attribute or argument that contains the reference. */
  readonly name: string | undefined;
  readonly reference: Traversal;
  readonly subject: ReferencedDeclaration;
}

/**
 * Returns the graph of a configuration's declarations, the diagnostics of invalid references, and the references to check.
 * Several runs of one configuration share the result.
 */
export const declarationGraph = memoize((configuration: Configuration) =>
  new GraphBuilder(configuration).build(),
);

const MAX_SUGGESTIONS = 20;

class GraphBuilder {
  readonly #graph = new Graph<Node>();
  readonly #diagnostics: Diagnostic[] = [];
  readonly #uses: ReferenceUse[] = [];
  #suggested = 0;

  constructor(private readonly configuration: Configuration) {}

  build(): {
    readonly graph: Graph<Node>;
    readonly diagnostics: readonly Diagnostic[];
    readonly uses: readonly ReferenceUse[];
  } {
    const { locals, providers, outputs, variables, checks } = this.configuration;
    for (const [name, expression] of locals) {
      const site = { address: `local.${name}`, construct: undefined };
      this.#add({ kind: "local" }, site, [[undefined, expression]]);
    }
    for (const key of providerKeys(this.configuration)) {
      const declaration = providers.get(key);
      const site = { address: providerNode(key), construct: declaration?.construct };
      this.#add({ kind: "provider", key }, site, declaration?.body ?? []);
    }
    this.#addResources();
    for (const declaration of outputs.values()) {
      const { name, construct, value, preconditions, dependsOn } = declaration;
      const expressions = [["value", value] as const, ...conditionExpressions("precondition", preconditions)];
      const site = { address: `output.${name}`, construct };
      this.#add({ kind: "output" }, site, expressions, dependsOn);
    }
    for (const declaration of variables.values()) {
      if (declaration.validations.length === 0) continue;
      const site = { address: `var.${declaration.name}`, construct: declaration.construct };
      const needed = this.#dependencies(site, conditionExpressions("validation", declaration.validations));
      const others = needed.filter((address) => address !== site.address);
      this.#graph.add(site.address, { kind: "variable" }, others);
    }
    for (const declaration of checks.values()) {
      const { address, data, asserts } = declaration;
      const needed = this.#dependencies(declaration, conditionExpressions("assert", asserts));
      if (data !== undefined) needed.push(data);
      this.#graph.add(address, { kind: "check" }, needed);
    }
    return { graph: this.#graph, diagnostics: this.#diagnostics, uses: this.#uses };
  }

  #addResources(): void {
    const { resources, imports } = this.configuration;
    /**
     * A list of dependencies for each key of a provider configuration. The list contains only this configuration.
     * Thousands of resources share one list, which saves memory.
     */
    const providers = new Map<string, readonly string[]>();
    resources.forEach((declaration) => {
      const { address, mode, provider: key, dependsOn } = declaration;
      const provider = once(providers, key, () => [providerNode(key)]);
      const expressions = expressionsOf(declaration);
      if (imports.length > 0) expressions.push(...importExpressions(imports, address));
      this.#noteOwnConditions(declaration);
      const isAlone = expressions.length + dependsOn.length === 0;
      const needed = isAlone
        ? provider
        : [...this.#dependencies(declaration, expressions, dependsOn), ...provider];
      this.#graph.add(address, { kind: "resource", mode, isAlone }, needed);
    });
  }

  /**
   * Records references from the conditions of a resource to this resource, so that they are checked. A reference of a resource to
   * itself is not a dependency.
   */
  #noteOwnConditions(declaration: ResourceDeclaration): void {
    const { preconditions, postconditions } = declaration.lifecycle;
    for (const { condition, errorMessage } of [...preconditions, ...postconditions])
      for (const reference of [condition, errorMessage].flatMap(references)) {
        const subject = referencedDeclaration(reference);
        if (subject.address === declaration.address)
          this.#uses.push({ site: declaration, name: "lifecycle", reference, subject });
      }
  }

  #add(
    node: Node,
    site: DeclarationSite,
    expressions: Iterable<LabeledPart<Expression>>,
    dependsOn: readonly Traversal[] = [],
  ): void {
    this.#graph.add(site.address, node, this.#dependencies(site, expressions, dependsOn));
  }

  #dependencies(
    site: DeclarationSite,
    expressions: Iterable<LabeledPart<Expression>>,
    dependsOn: readonly Traversal[] = [],
  ): string[] {
    const found: string[] = [];
    const add = (name: string | undefined, reference: Traversal) => {
      const subject = referencedDeclaration(reference);
      const problem = isDeclared(this.configuration, subject.address)
        ? this.#scopeProblem(subject, site)
        : this.#undeclared(subject);
      if (problem !== undefined)
        this.#diagnostics.push(
          error({ ...problem, ...locate(site, name === undefined ? undefined : [name]) }),
        );
      else if (isChecked(subject, reference)) this.#uses.push({ site, name, reference, subject });
      found.push(subject.address);
    };
    for (const [name, expression] of expressions)
      for (const reference of references(expression)) add(name, reference);
    // An object can name itself in `depends_on`. As under Terraform, such a reference has no effect.
    for (const reference of dependsOn)
      if (referencedDeclaration(reference).address !== site.address) add("depends_on", reference);
    return found;
  }

  /**
   * Returns a problem for a reference from outside a check to a data source inside the check. Returns undefined for any other
   * reference.
   */
  #scopeProblem({ address }: ReferencedDeclaration, site: DeclarationSite): DiagnosticText | undefined {
    const check = this.configuration.resources.get(address)?.check;
    if (check === undefined || check === site.address || address === site.address) return undefined;
    return {
      code: "undeclared_reference",
      summary: "Reference to a data source of a check",
      detail: `"${address}" is declared inside ${check} and can't be referenced from outside. Declare a separate data source.`,
    };
  }

  /**
   * Returns all declared addresses. The caller searches them for a suggestion if a name is not declared. After `MAX_SUGGESTIONS`
   * calls, returns an empty list, because each search compares the name with all declared addresses.
   */
  #suggestions(): readonly string[] {
    this.#suggested += 1;
    return this.#suggested > MAX_SUGGESTIONS ? [] : declaredAddresses(this.configuration);
  }

  #undeclared({ kind, address }: ReferencedDeclaration): DiagnosticText | undefined {
    const program = programForReference(address);
    if (program !== undefined)
      return {
        code: "configuration_unsupported",
        summary: "Not supported by the embedded engine",
        ...notSupported(`A reference to ${address}`, program),
      };
    if (kind === "repetition" || kind === "path" || kind === "terraform") return undefined;
    const summary = "Reference to an undeclared object";
    if (kind === "incomplete") {
      const detail = `"${address}" is not a complete reference. Add the name of a declaration, such as ${address}.NAME.`;
      return { code: "undeclared_reference", summary, detail };
    }
    const hint = didYouMean(address, this.#suggestions(), "Declare it, or check the spelling.");
    const detail = `"${address}" is not declared in this configuration. ${hint}`;
    return { code: "undeclared_reference", summary, detail };
  }
}

/**
 * Adds provider configurations that only objects of the state need. The configuration no longer declares or uses these
 * provider configurations.
 */
export function addProviders(graph: Graph<Node>, keys: Iterable<string>): void {
  for (const key of keys) {
    const node = providerNode(key);
    if (!graph.has(node)) graph.add(node, { kind: "provider", key });
  }
}

/**
 * Returns the expressions of a resource's `import` blocks, except expressions that refer to the resource itself.
 * `checkBlocks` reports expressions that refer to the resource itself.
 */
const importExpressions = (imports: Configuration["imports"], address: string): LabeledPart<Expression>[] =>
  importsOf(imports, address)
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

/**
 * Returns the expressions from which a resource or data source gets its dependencies. Conditions that refer to the resource
 * itself are left out.
 */
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

/** Returns the keys of all provider configurations that are declared or used. */
export const providerKeys = memoize(({ providers, resources }: Configuration): ReadonlySet<string> => {
  const keys = new Set(providers.keys());
  let last: string | undefined;
  resources.forEach(({ provider }) => {
    if (provider !== last) keys.add(provider);
    last = provider;
  });
  return keys;
});

/** Returns whether the configuration declares a variable, local, resource or data source with this address. */
export function isDeclared({ variables, locals, resources }: Configuration, address: string): boolean {
  if (resources.has(address)) return true;
  const [kind, name] = [address.slice(0, address.indexOf(".")), address.slice(address.indexOf(".") + 1)];
  return kind === "var" ? variables.has(name) : kind === "local" && locals.has(name);
}

/** Returns the addresses of all variables, locals, resources and data sources, as suggestions for an undeclared address. */
const declaredAddresses = ({ variables, locals, resources }: Configuration): string[] => [
  ...[...variables.keys()].map((name) => `var.${name}`),
  ...[...locals.keys()].map((name) => `local.${name}`),
  ...resources.keys(),
];

/**
 * Returns the addresses of the resources and data sources that a node depends on, directly or indirectly. The list is sorted by
 * address.
 */
export function resourceDependencies(graph: Graph<Node>, address: string): readonly string[] {
  const direct = graph.dependenciesOf(address);
  const isIndependent = (id: string) =>
    graph.value(id)?.kind === "provider" && graph.dependenciesOf(id).length === 0;
  // Most resources need only their provider, so their list is empty.
  if (direct.every(isIndependent)) return [];
  return [...graph.closure(direct)].filter((id) => graph.value(id)?.kind === "resource").sort();
}

/**
 * Returns the managed resources to which each managed resource of a configuration refers directly, or through locals and data
 * sources. Does not follow references through other managed resources. Each list is sorted by address.
 */
export function managedDependencies(graph: Graph<Node>): Map<string, readonly string[]> {
  const isManaged = (id: string): boolean => {
    const node = graph.value(id);
    return node?.kind === "resource" && node.mode === "managed";
  };
  return dependenciesBetween(graph.ids, (id) => graph.dependenciesOf(id), isManaged);
}
