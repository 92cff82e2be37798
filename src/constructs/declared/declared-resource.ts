import { DefaultTokenResolver, StringConcat, TerraformElement, TerraformStack, Tokenization } from "cdktf";
import type { IConstruct } from "constructs";

/** A synthesized resource of this provider, which any class may declare. */
export interface DeclaredResource {
  /** The construct that declares the resource. */
  readonly construct: IConstruct;
  /** The resource type, such as `steward_protected_environment`. */
  readonly type: string;
  /**
   * The attributes under the schema's names (`deploy_access_levels`), with overrides. A value that is known
   * only after apply is an expression: see {@link isKnown}.
   */
  readonly attributes: Attributes;
}

/** The declarations of this provider in one stack. */
export interface DeclaredStack {
  readonly stack: TerraformStack;
  /** The stacks inside this stack. */
  readonly nested: readonly TerraformStack[];
  readonly resources: readonly DeclaredResource[];
  /** The resources and data sources by address, such as `data.steward_project.shop`. */
  readonly byAddress: ReadonlyMap<string, DeclaredResource>;
  /** The base URLs of the stack's providers, by provider reference (`steward`, `steward.there`). */
  readonly services: ReadonlyMap<string, string>;
}

type Attributes = Readonly<Record<string, unknown>>;
type Block = Readonly<Record<string, Readonly<Record<string, Attributes>>>>;

interface Synthesized {
  readonly resource?: Block;
  readonly data?: Block;
  readonly provider?: Readonly<Record<string, readonly Attributes[]>>;
}

/**
 * Reads the declarations of a stack from the synthesized configuration instead of the constructs. The result therefore
 * includes overrides, and resources that other generated classes declare.
 */
export function declaredStack(stack: TerraformStack): DeclaredStack {
  const nested: TerraformStack[] = [];
  const resources: DeclaredResource[] = [];
  const byAddress = new Map<string, DeclaredResource>();
  const services = new Map<string, string>();
  for (const construct of stack.node.findAll()) {
    if (TerraformStack.isStack(construct) && construct !== stack && isDirectlyIn(stack, construct))
      nested.push(construct);
    if (!TerraformElement.isTerraformElement(construct) || TerraformStack.of(construct) !== stack) continue;
    const { resource, data, provider }: Synthesized = construct.toTerraform();
    for (const { name, declared } of blocks(resource, construct, stack)) {
      resources.push(declared);
      byAddress.set(`${declared.type}.${name}`, declared);
    }
    for (const { name, declared } of blocks(data, construct, stack))
      byAddress.set(`data.${declared.type}.${name}`, declared);
    for (const { alias, base_url } of resolved(provider?.[PROVIDER] ?? [], stack)) {
      services.set(alias === undefined ? PROVIDER : `${PROVIDER}.${String(alias)}`, String(base_url ?? ""));
    }
  }
  return { stack, nested, resources, byAddress, services };
}

const PROVIDER = "steward";

const isDirectlyIn = (stack: TerraformStack, nested: TerraformStack): boolean =>
  TerraformStack.of(nested.node.scope!) === stack;

/** A resource whose tokens are resolved when its attributes are first read. Most checks read few resources of a large app. */
class SynthesizedResource implements DeclaredResource {
  #attributes: Attributes | undefined;

  constructor(
    readonly construct: IConstruct,
    readonly type: string,
    private readonly block: Attributes,
    private readonly stack: TerraformStack,
  ) {}
  get attributes(): Attributes {
    // The metadata (`//`) is left out, because nothing reads it here and resolving it takes long.
    const { "//": _, ...block } = this.block;
    this.#attributes ??= resolved(block, this.stack);
    return this.#attributes;
  }

  /** Whether the resource has a `count` of 0, and therefore creates nothing. */
  get isEmpty(): boolean {
    return this.block["count"] !== undefined && this.attributes["count"] === 0;
  }
}

const resolved = <T>(value: T, scope: TerraformStack): T =>
  Tokenization.resolve(value, {
    scope,
    preparing: false,
    resolver: new DefaultTokenResolver(new StringConcat()),
  });

/** Returns the resources of this provider in a block. */
const blocks = (block: Block = {}, construct: IConstruct, stack: TerraformStack) =>
  Object.entries(block).flatMap(([type, named]) =>
    type.startsWith(`${PROVIDER}_`)
      ? Object.entries(named).flatMap(([name, attributes]) => {
          const declared = new SynthesizedResource(construct, type, attributes, stack);
          return declared.isEmpty ? [] : [{ name, declared }];
        })
      : [],
  );

/**
 * Returns whether synthesis knows the value; false for an expression, which only plan or apply can resolve.
 */
export const isKnown = (value: unknown): boolean => !(typeof value === "string" && value.includes("${"));
