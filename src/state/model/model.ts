import { randomUUID } from "node:crypto";
import { JsonNumber } from "../../json";
import { FOLLOWED_TERRAFORM_VERSION } from "../../language";

/** A JSON value. A number that a JS number can't represent is a `JsonNumber`. */
export type Json = null | boolean | number | string | JsonNumber | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export const isJsonObject = (json: Json | undefined): json is JsonObject =>
  typeof json === "object" && json !== null && !Array.isArray(json) && !(json instanceof JsonNumber);

/** The supported version of the state format. */
export const STATE_FORMAT_VERSION = 4;

/** A state: the recorded values of all managed objects. */
export interface State {
  /** Incremented by the backend with each write that changes something. */
  serial: number;
  /** Created with the state. States of different lineages are unrelated. */
  lineage: string;
  terraformVersion: string;
  outputs: Record<string, OutputState>;
  resources: ResourceState[];
  /** Results of Terraform's `check` blocks, preserved as read. */
  checkResults?: Json;
  /** Unknown keys, preserved as read. */
  extra?: JsonObject;
}

export interface OutputState {
  value: Json;
  /** The type in JSON, such as `"string"` or `["list", "number"]`. */
  type: Json;
  sensitive: boolean;
  extra?: JsonObject;
}

export interface ResourceState {
  mode: "managed" | "data";
  type: string;
  name: string;
  /** Address of the module that declares it, such as `module.web["eu"]`; absent in the root module. */
  module?: string;
  /** Written by Terraform up to 0.12, preserved as read. */
  each?: string;
  /**
   * The fleet that declared it at the last apply; null records that no fleet did. Absent in states of older releases and of
   * Terraform. The keys of its instances name the members.
   */
  fleet?: FleetRecord | null;
  /** Address of the provider configuration, such as `provider["registry.example/acme/acme"].alias`. */
  provider: string;
  instances: InstanceState[];
  extra?: JsonObject;
}

/** The record of a resource's fleet. */
export interface FleetRecord {
  /** The path of its construct. */
  readonly path: string;
  /** The part of each member's settings, such as `environments`. */
  readonly part: string;
  /** The treatment of objects that leave it. */
  readonly onLeave: "keep" | "reset";
  /**
   * The layers, topics and exceptions that matched a member at the last apply, such as `layer acme/web`. Absent in states of
   * older releases.
   */
  readonly matched?: readonly string[];
}

export interface InstanceState {
  /** The index with `count`, or the key with `for_each`. */
  indexKey?: number | string;
  /** Eight hexadecimal digits, on an object that is deleted after its replacement was created. */
  deposed?: string;
  status?: "tainted";
  schemaVersion: number;
  attributes: Record<string, Json>;
  sensitivePaths: SensitivePath[];
  /** The provider's private data: base64, preserved byte for byte. */
  private?: string;
  /** Addresses of resources without keys, such as `module.web.acme_thing.one`. */
  dependencies: string[];
  createBeforeDestroy?: boolean;
  /**
   * The identity of the object for the service, as Terraform has stored it since 1.12, and the version of the
   * identity's schema.
   */
  identity?: { readonly version: number; readonly values: JsonObject };
  /** Unknown keys, preserved as read. */
  extra?: JsonObject;
}

/** The path of a sensitive value within an instance's attributes. */
export type SensitivePath = readonly SensitiveStep[];

/**
 * One step: an attribute, or an element's index or key. The type of an index is explicit if it is neither
 * text nor number.
 */
export type SensitiveStep = { readonly attribute: string } | { readonly index: Json; readonly type?: Json };

/** An empty state with a new lineage. */
export function emptyState(): State {
  return {
    serial: 0,
    lineage: randomUUID(),
    terraformVersion: FOLLOWED_TERRAFORM_VERSION,
    outputs: {},
    resources: [],
  };
}
