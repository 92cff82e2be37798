import type { Diagnostic } from "../../diagnostics";
import type { Attributes, Declared, ValueObject } from "../../schema";
import type { Ownership } from "../ownership/owners";
import type { Connection } from "../protocol/connection";
import type { Failure } from "../protocol/failures";
import type { AccessReport, PlannedChange, RightsReport, RunOptions } from "../protocol/protocol";
import type { Kind, ReferencedObject } from "../references/lookups";
import type { DataSourceDefinition, Reading, ResourceDefinition } from "./definition";
import type { FunctionDefinition } from "./function-definition";

/**
 * Converts states of one resource type of another provider. The conversion has no client, so it fills in only the
 * values that follow from the old state. The next read adds the other values, such as the numeric id of a
 * container that is named by path.
 */
export interface Move {
  /** The resource type of the other provider. */
  readonly from: string;
  /** The newest schema version of that type that the conversion supports. */
  readonly version: number;
  /** The conversions by target type. Each key is a type without the provider's prefix: `thing` for `acme_thing`. */
  readonly to: Readonly<Record<string, (source: ValueObject) => Moved>>;
}

export interface Moved {
  /** The converted attributes with the `id`. The caller sets omitted attributes to null. */
  readonly attributes: ValueObject;
  /** Warnings about features of the old resource that the new resource lacks. */
  readonly warnings?: readonly Diagnostic[];
}

/**
 * The definition of a provider: its configuration, client, resources and data sources. `Client` is the type
 * of the client that sends the requests. `Name` lists the kinds of objects that references name by id or
 * path.
 */
export interface ProviderDefinition<Client = unknown, Name extends string = string> {
  /** The prefix of all type names: `acme` for `acme_thing`. */
  readonly name: string;
  /** The source address, such as `registry.steward.example/steward/steward`. */
  readonly source: string;
  /** The description as Markdown. Lists show only the first sentence. */
  readonly description: string;
  /** The attributes of the provider's configuration. */
  readonly attributes: Attributes;
  /** The kinds of objects to which references can refer, such as users. */
  readonly kinds: Readonly<Record<Name, Kind<Client>>>;
  /** Lists containers that no declaration names. Without this member, Steward finds containers only by name. */
  readonly containers?: ContainerLists<Client, Name>;
  readonly resources: readonly ResourceDefinition[];
  readonly dataSources: readonly DataSourceDefinition[];
  /** The functions for expressions. */
  readonly functions?: readonly FunctionDefinition[];

  /**
   * Creates a client for one run. The configuration has no unknown values. The client sends nothing before
   * the first real request.
   *
   * @throws an error that `failureOf` maps, if the configuration is invalid
   */
  connect(config: ValueObject, run: RunOptions): Connection<Client>;
  /** Maps an error of the client to a failure; undefined for any other error. */
  failureOf(problem: unknown): Failure | undefined;
  /**
   * Returns whether the token sees all objects, so that a 404 proves that an object is gone. For an
   * administrator's token that does not see all objects, `why` is the reason. Without this function, Steward
   * assumes that no token sees all objects.
   */
  isAdministrator?(api: Client): Promise<boolean | { readonly why: string }>;
  /**
   * Returns the name of the role that is needed to change objects of a resource. Errors after a refused
   * request contain it.
   */
  neededRole?(definition: ResourceDefinition): string;
  /**
   * Returns diagnostics for each planned change that the token does not allow. Without this function, the service
   * itself refuses the request. A plan that will be applied also calls this function, but ignores the diagnostics.
   * The call only fills `known` for the apply.
   */
  checkRights?(
    scope: RightsScope<Client>,
    changes: readonly DefinedChange[],
  ): Promise<readonly (readonly Diagnostic[])[]>;
  /**
   * Reports the access that planned changes give and take away. It sends only reads. Without this function,
   * Steward knows nothing about access.
   */
  describeAccess?(scope: AccessScope<Client>, changes: readonly AccessChange[]): Promise<AccessReport>;
  /**
   * Starts a read that `describeAccess` will certainly need for a new object. Returns undefined if no such read
   * exists. The framework calls this function for the new objects of a container until one call starts a read. The
   * read may send one request, which counts for `maxReads`.
   */
  readAccessAhead?(scope: AccessAheadScope<Client>, object: NewObject): Promise<unknown> | undefined;
  /**
   * Reports the rights that planned changes need. It sends only reads. Without this function, Steward knows
   * nothing about rights.
   */
  describeRights?(scope: AccessScope<Client>, changes: readonly AccessChange[]): Promise<RightsReport>;
  /** Returns the username of the token's user. It throws the client's errors. */
  currentUser?(api: Client): Promise<string>;
  /**
   * Returns the address of an object's web page. It depends on the service's address (as `connect` returns
   * it), the kind and the full path.
   */
  webUrl?(address: string, kind: string, path: string): string;
  /**
   * The reason why the service drops accepted elements of a set. The error about such elements ends with this
   * sentence.
   */
  readonly whyDropped?: string;
  /** Removes names that users chose from a request path. By default, the path is unchanged. */
  redactPath?(path: string): string;
  /** Resources of another provider that can be moved to this one. */
  readonly moves?: Moves;
}

/** Lists of containers, page by page. They throw the client's errors. */
export interface ContainerLists<Client = unknown, Name extends string = string> {
  /** For each kind of container: the kinds of containers that `inside` can return for it. */
  readonly nesting: { readonly [Kind in Name]?: Nesting<Name> };
  /**
   * Returns the containers directly inside a container, or at any depth if `hasNested` is true. With `only`, it
   * returns only containers of that kind. A container whose kind is not in `nesting` contains no other containers.
   */
  inside(
    api: Client,
    container: { readonly kind: Name; readonly id: number },
    hasNested: boolean,
    only: string | undefined,
  ): ContainerPages<Name>;
  /**
   * Returns all containers in which the token's user is a member. With `isAdministrator`, it returns all
   * containers. The filter selects containers by topic, or by a text in their name or path.
   */
  all(
    api: Client,
    filter: { readonly topic?: string | undefined; readonly search?: string | undefined },
    isAdministrator: boolean,
  ): ContainerPages<Name>;
}

/** Describes which kinds of containers can be inside one kind of container. */
export interface Nesting<Name extends string = string> {
  readonly kinds: readonly Name[];
  /**
   * The name of the attribute of a query that includes all nested containers at any depth, such as
   * `include_subfolders`.
   */
  readonly attribute: string;
  /** The description of the attribute, as Markdown. */
  readonly description: string;
}

/** The containers of a list, page by page. */
export type ContainerPages<Name extends string = string> = AsyncIterable<
  readonly (ReferencedObject & { readonly kind: Name })[]
>;

/**
 * Resources of another provider that can be moved to this provider. The registry of the other provider does
 * not matter.
 */
export interface Moves {
  /** The namespace and name of the other provider. */
  readonly from: string;
  readonly of: readonly Move[];
}

/** A planned change with the definition of its resource. */
export type DefinedChange = PlannedChange & { readonly definition: ResourceDefinition };

/** The context in which a provider checks rights. */
export interface RightsScope<Client = unknown> {
  readonly api: Client;
  /** The token's rights that clients of the run have already read. The provider chooses the keys. */
  readonly known: Map<string, unknown>;
  /**
   * Returns the level of the token's user in an object, if a record that this run has read contains the level.
   * `name` is the id or path of the object.
   */
  levelIn(kind: string, name: string | number): number | undefined;
}

/** The context in which a provider starts the reads of its access report, with the limit of the report. */
export type AccessAheadScope<Client = unknown> = Reading<Client> & Pick<AccessScope<Client>, "maxReads">;

/** A new object, with resolved references. */
export interface NewObject {
  readonly definition: ResourceDefinition;
  readonly container: number;
  readonly declared: Declared<Attributes>;
}

/** The context in which a provider describes access: the client, and the collections that this run has read. */
export interface AccessScope<Client = unknown> extends Reading<Client> {
  /**
   * Returns the full path or username for an id, or the id itself if the token can't see the object. The run looks
   * up each id once. With `maxReads`, it sends no look-ups: it returns only names that the run already knows, and
   * the id for other objects.
   * @throws the client's errors
   */
  nameOf(kind: string, id: number): Promise<string>;
  /**
   * Returns why a read failed, in a few words.
   * @throws the problem, if it is not the client's error
   */
  reasonOf(problem: unknown): string;
  /** Whether the report also covers places without a change. */
  readonly isWhole: boolean;
  /**
   * Whether the report describes drift that has already happened. The drift is the reverse of `changes`, which
   * would repair it.
   */
  readonly isReversed?: boolean | undefined;
  /**
   * Whether another report describes other changes of the run. This report must then contain `dependsOn` in
   * `touched`.
   */
  readonly isPartial?: boolean | undefined;
  /**
   * The number of requests that the report may send on average for each container with changes. By default,
   * there is no limit.
   */
  readonly maxReads?: number | undefined;
  /**
   * Returns the number of requests that the plan has already sent for this report and a container. These
   * requests count for `maxReads`.
   */
  sentAhead(kind: string, container: number): number;
}

/**
 * A planned change, in the form that a provider's reports evaluate. Its references are resolved, and it leaves out
 * attributes that the plan does not change.
 */
export interface AccessChange {
  /** The name of the type without the provider's prefix. */
  readonly type: string;
  readonly definition: ResourceDefinition;
  readonly address: string;
  /** The live object; undefined if the change creates it. */
  readonly before: AccessObject | undefined;
  /** The object after the change; undefined if the change deletes it. */
  readonly after: AccessObject | undefined;
  /** The live values that a create replaces, if the plan has read them. */
  readonly live?: ValueObject | undefined;
  /** Declared attributes of `after` whose values are known only after apply. Their value in `after` is null. */
  readonly unknown: readonly string[];
  /**
   * The declared attributes of `after`. The apply does not change the live values of other attributes, even
   * if the plan shows other values.
   */
  readonly configured: ReadonlySet<string>;
  /**
   * Whether the plan keeps the object as it is in the state. The apply then writes nothing, even if the live
   * object differs.
   */
  readonly isUnchanged: boolean;
  /**
   * Returns whether this part remains after the object is deleted, because another declaration of the run
   * owns the part.
   */
  isKept(part: Ownership): boolean;
}

interface AccessObject {
  /** The numeric id of the container. */
  readonly container: number;
  /** All attributes that can be declared, with resolved references. */
  readonly declared: Readonly<Record<string, unknown>>;
  /** The attributes in the host's form, including computed ones. */
  readonly attributes: ValueObject;
}
