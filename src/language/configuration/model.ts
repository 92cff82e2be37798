import * as z from "zod/mini";
import type { ResourceAddress } from "../addresses/address";
import type { Expression, Traversal, TypeConstraint } from "../syntax";
import type { ConfigurationFile } from "./files";

/** A configuration: all parsed declarations of a stack's files, without evaluation. */
export interface Configuration {
  /** The base folder of relative paths. */
  readonly folder: string;
  /** The parsed files. */
  readonly files: readonly ConfigurationFile[];
  /** Source addresses by local provider name, such as `steward`. */
  readonly requiredProviders: ReadonlyMap<string, string>;
  /** Version constraints such as `>= 1.0, < 2.0` by local provider name, if there is one. */
  readonly providerVersions: ReadonlyMap<string, string>;
  readonly backend: Backend | undefined;
  /** The providers, by `name` or `name.alias`. */
  readonly providers: ReadonlyMap<string, ProviderDeclaration>;
  readonly variables: ReadonlyMap<string, VariableDeclaration>;
  readonly locals: ReadonlyMap<string, Expression>;
  readonly outputs: ReadonlyMap<string, OutputDeclaration>;
  /** Resources and data sources by address, such as `acme_thing.a` or `data.acme_thing.b`. */
  readonly resources: ReadonlyMap<string, ResourceDeclaration>;
  readonly checks: ReadonlyMap<string, CheckDeclaration>;
  readonly imports: readonly ImportDeclaration[];
  readonly moves: readonly MoveDeclaration[];
  /** The fleets, by the name of the local value with their members. */
  readonly fleets: ReadonlyMap<string, FleetDeclaration>;
  /** The removals, by the address of the removed resource. */
  readonly removals: ReadonlyMap<string, RemovalDeclaration>;
}

/** The declarations of a configuration while its files are loaded. */
export type Loading = {
  -readonly [K in Exclude<keyof Configuration, "folder" | "files">]: Configuration[K] extends ReadonlyMap<
    infer A,
    infer B
  >
    ? Map<A, B>
    : Configuration[K] extends readonly (infer E)[]
      ? E[]
      : Configuration[K];
};

const text = z.optional(z.string());

/** The containers that the list of a fleet contains: their kind, what holds them (at any depth if `nested`), their labels. */
const fleetSelection = z.object({
  kind: z.string(),
  within: z.object({ kind: z.string(), name: z.string() }),
  nested: z.boolean(),
  /** They have at least one of these, if there is any. */
  labels: z.array(z.string()),
  /** Patterns of full paths. */
  except: z.array(z.string()),
  /** Whether labels and patterns may match nothing. */
  allow_empty: z.optional(z.literal(true)),
});
export type FleetSelection = z.output<typeof fleetSelection>;

/**
 * A layer, with the settings that it sets or drops. A setting is one attribute of the objects with one key. Without
 * a key or an attribute, it covers all of them.
 */
const fleetLayer = z.object({
  where: z.string(),
  position: text,
  reason: text,
  owner: text,
  until: text,
  /** Whether the fleet may have no member at or below `where`. */
  allow_empty: z.optional(z.literal(true)),
  settings: z.array(
    z.object({
      type: z.string(),
      key: text,
      attribute: text,
      position: text,
      dropped: z.optional(z.literal(true)),
      /** The members in a list of others: the fleet removes each from its own list. */
      except_own: z.optional(z.array(z.string())),
    }),
  ),
});
export type FleetLayer = z.output<typeof fleetLayer>;

/** A data source that lists members: the attribute with the list, the attribute of an element with the path, and the label of all. */
const fleetList = z.object({ source: z.string(), attribute: z.string(), path: z.string(), label: text });
export type FleetList = z.output<typeof fleetList>;

/** Resources for many containers, with one baseline and layers, as the construct `Fleet` notes them in comments. */
export const fleetDeclaration = z.object({
  /** The path of its construct. */
  path: z.string(),
  /** The local value that holds the paths of its members, by their keys. */
  members: z.string(),
  /** The fate of objects that leave the fleet: `keep` leaves them on the service, `reset` destroys them. */
  onLeave: z.enum(["keep", "reset"]),
  /** The selection of its list; undefined for a list that the app writes. */
  selection: z.optional(fleetSelection),
  /** The data sources that list its members. */
  lists: z.optional(z.array(fleetList)),
  /** The baseline, whose path is empty, and the layers. */
  layers: z.array(fleetLayer),
  /** The local values, outputs and checks that report selectors under Terraform. A configuration is loaded without them. */
  selector_checks: z.optional(z.array(z.string())),
});
export type FleetDeclaration = z.output<typeof fleetDeclaration>;

/** The member and the key of an instance of a fleet: constructs make the keys of instances `<member>` or `<member>:<key>`. */
export function memberOf(indexKey: string): { readonly member: string; readonly key: string | undefined } {
  const colon = indexKey.indexOf(":");
  return colon === -1
    ? { member: indexKey, key: undefined }
    : { member: indexKey.slice(0, colon), key: indexKey.slice(colon + 1) };
}

/** A `check` block: assertions that warn if they do not hold. */
export interface CheckDeclaration {
  /** The address, such as `check.reachable`. */
  readonly address: string;
  /** The address of the data source within it, which nothing else may refer to. */
  readonly data: string | undefined;
  readonly asserts: readonly Condition[];
  readonly construct: string | undefined;
}

/** An `import` block: a live object, or several with `for_each`, to be taken into the state. */
export interface ImportDeclaration {
  /** The resource, without a key. */
  readonly to: string;
  /** The target as written, for messages. */
  readonly target: string;
  /** The instance's key; with `for_each` it may depend on `each`. */
  readonly key: Expression | undefined;
  /** Either the provider's import id or the attributes of the identity names the object. */
  readonly id: Expression | undefined;
  readonly identity: Expression | undefined;
  readonly forEach: Expression | undefined;
}

/** A `moved` block: an object with a new address. If neither address has a key, a whole resource moves. */
export interface MoveDeclaration {
  readonly from: ResourceAddress;
  readonly to: ResourceAddress;
}

/** A `removed` block: a resource that is no longer declared. */
export interface RemovalDeclaration {
  /** False: the object is left as it is, and only the state forgets it. */
  readonly destroy: boolean;
}

export interface Backend {
  readonly type: string;
  readonly config: Readonly<Record<string, unknown>>;
}

/** The attributes of a block, each with its expression. */
export type Body = ReadonlyMap<string, Expression>;

export interface ProviderDeclaration {
  readonly name: string;
  readonly alias: string | undefined;
  readonly body: Body;
  readonly construct: string | undefined;
}

export interface VariableDeclaration {
  readonly name: string;
  readonly constraint: TypeConstraint;
  /** The type as written, where one is. */
  readonly type: string | undefined;
  readonly default: Expression | undefined;
  readonly sensitive: boolean;
  /** Its value must not be stored in states and plans. */
  readonly ephemeral: boolean;
  readonly nullable: boolean;
  readonly validations: readonly Condition[];
  readonly construct: string | undefined;
}

export interface OutputDeclaration {
  readonly name: string;
  readonly value: Expression;
  readonly sensitive: boolean;
  readonly dependsOn: readonly Traversal[];
  readonly preconditions: readonly Condition[];
  readonly construct: string | undefined;
}

export interface ResourceDeclaration {
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly name: string;
  readonly address: string;
  /** Key into `providers`. */
  readonly provider: string;
  readonly body: Body;
  /** The block as it is written, with its meta-arguments, where all attributes of `body` are constants. */
  readonly constants: Readonly<Record<string, unknown>> | undefined;
  readonly dependsOn: readonly Traversal[];
  readonly count: Expression | undefined;
  readonly forEach: Expression | undefined;
  readonly lifecycle: Lifecycle;
  /** The address of the check that holds it; only of a data source. */
  readonly check?: string;
  /** Path of the construct, where cdktf wrote one. */
  readonly construct: string | undefined;
  /** The app's file and line, `main.ts:26`, if the construct recorded them. */
  readonly position?: string;
  /** The fleet that it belongs to: a key of the configuration's `fleets`. */
  readonly fleet?: string;
  /** Its part of each member's settings, such as `environments`: independent of the name of the fleet. */
  readonly fleetPart?: string;
}

/** A condition that must be true, and the message if it is not. */
export interface Condition {
  readonly condition: Expression;
  readonly errorMessage: Expression;
}

/** The `lifecycle` block of a resource; a data source has conditions only. */
export interface Lifecycle {
  readonly preventDestroy: boolean;
  /** A dependent resource may require it too. */
  readonly createBeforeDestroy: boolean;
  /** Paths into the resource, such as `tags["x"]`; `all` for every attribute. */
  readonly ignoreChanges: "all" | readonly Traversal[];
  /** References, whose indexes may use `each.key` and `count.index`. */
  readonly replaceTriggeredBy: readonly Expression[];
  readonly preconditions: readonly Condition[];
  readonly postconditions: readonly Condition[];
}

/** The lifecycle of a block without a `lifecycle` block. */
export const NO_LIFECYCLE: Lifecycle = {
  preventDestroy: false,
  createBeforeDestroy: false,
  ignoreChanges: [],
  replaceTriggeredBy: [],
  preconditions: [],
  postconditions: [],
};
