import { DefaultTokenResolver, StringConcat, TerraformElement, TerraformStack, Tokenization } from "cdktf";
import type { IConstruct } from "constructs";

/** A synthesized resource of this provider. Any class can declare the resource, including classes from other generators. */
export interface DeclaredResource {
  /** The construct that declares the resource. */
  readonly construct: IConstruct;
  /** The resource type, such as `steward_protected_environment`. */
  readonly type: string;
  /**
   * The attributes, including overrides, under the names in the schema, such as `deploy_access_levels`. A value that is known
   * only during apply is an expression: see {@link isKnown}.
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
  /** The base URL of each provider in the stack, by the provider's reference (`steward`, `steward.there`). */
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
 * Returns the declarations of a stack. The declarations come from the synthesized configuration, so they include overrides and
 * resources of other generated classes.
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

/** A resource that resolves its tokens when its attributes are first read. Most checks read few resources of a large app. */
class SynthesizedResource implements DeclaredResource {
  #attributes: Attributes | undefined;

  constructor(
    readonly construct: IConstruct,
    readonly type: string,
    private readonly block: Attributes,
    private readonly stack: TerraformStack,
  ) {}
  get attributes(): Attributes {
    // The metadata (`//`) is left out. No code here reads the metadata, and the tokens in it take long to resolve.
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

/** Returns the resources of this provider in a `resource` or `data` block. */
const blocks = (block: Block = {}, construct: IConstruct, stack: TerraformStack) =>
  Object.entries(block).flatMap(([type, named]) =>
    type.startsWith(`${PROVIDER}_`)
      ? Object.entries(named).flatMap(([name, attributes]) => {
          const declared = new SynthesizedResource(construct, type, attributes, stack);
          return declared.isEmpty ? [] : [{ name, declared }];
        })
      : [],
  );

/** Returns whether synthesis knows a value. Returns false for an expression, which only plan or apply can resolve. */
export const isKnown = (value: unknown): boolean => !(typeof value === "string" && value.includes("${"));
