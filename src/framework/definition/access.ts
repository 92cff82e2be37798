import type { ValueObject } from "../../schema";
import type { Collection } from "../collections/listing";
import type { LiveCollection } from "../collections/live-collection";
import type { Ownership } from "../ownership/ownership";
import type { ResourceDefinition } from "./definition";

/** The context in which a provider describes access: the client, and the collections that this run has read. */
export interface AccessScope<Client = unknown> {
  readonly api: Client;
  /** A collection of one container, shared with resources. */
  collection<K, T, Whole extends T = T>(
    container: number,
    collection: Collection<K, T, Whole, Client>,
  ): LiveCollection<K, T, Whole>;
  /**
   * The full path or username of an id, and the id itself if it is not visible to this token. Looked up once per run.
   *
   * @throws the client's errors
   */
  nameOf(kind: string, id: number): Promise<string>;
  /** Why a read failed, in a few words. @throws the problem, if it is not the client's error */
  reasonOf(problem: unknown): string;
  /** Whether the report covers places without a change as well. */
  readonly isWhole: boolean;
  /** Whether the report tells who gained and lost before: the changes would restore what was. */
  readonly isReversed?: boolean | undefined;
}

/** A planned change as a provider evaluates it: with resolved references, without what the plan leaves unchanged. */
export interface AccessChange {
  /** The type's name without the provider's prefix. */
  readonly type: string;
  readonly definition: ResourceDefinition;
  readonly address: string;
  /** The live object; undefined if the change creates it. */
  readonly before: AccessObject | undefined;
  /** Undefined if the change deletes the object. */
  readonly after: AccessObject | undefined;
  /** Attributes of `after` that are declared and known only after apply; their value there is null. */
  readonly unknown: readonly string[];
  /** The declared attributes of `after`. All others stay as they are live, whatever the plan knows of them. */
  readonly configured: ReadonlySet<string>;
  /** Whether the plan leaves the object as the state has it: nothing is written, whatever is live. */
  readonly isUnchanged: boolean;
  /** Whether deleting the object leaves this part of it, because another declaration of the run holds it. */
  stays(part: Ownership): boolean;
}

interface AccessObject {
  /** The numeric id of the container. */
  readonly container: number;
  /** All attributes that can be declared, with resolved references. */
  readonly declared: Readonly<Record<string, unknown>>;
  /** The attributes as the host has them, computed ones included. */
  readonly attributes: ValueObject;
}
