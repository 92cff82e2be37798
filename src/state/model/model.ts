import { randomUUID } from "node:crypto";
import { JsonNumber } from "../../json";
import { FOLLOWED_TERRAFORM_VERSION } from "../../language";

/** What JSON can hold. A number that a JS number would change is a `JsonNumber`. */
export type Json = null | boolean | number | string | JsonNumber | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export const isJsonObject = (json: Json | undefined): json is JsonObject =>
  typeof json === "object" && json !== null && !Array.isArray(json) && !(json instanceof JsonNumber);

/** The version of the state format that is read and written. */
export const STATE_FORMAT_VERSION = 4;

/** A state: what is known of every object under management. */
export interface State {
  /** Grows by one with each write that changed something; the backend counts it. */
  serial: number;
  /** Given once, when the state begins. Two states with different lineages have nothing to do with each other. */
  lineage: string;
  terraformVersion: string;
  outputs: Record<string, OutputState>;
  resources: ResourceState[];
  /** Results of Terraform's `check` blocks, kept as found. */
  checkResults?: Json;
  /** Keys that this version does not know, kept as found. */
  extra?: JsonObject;
}

export interface OutputState {
  value: Json;
  /** The type as JSON, such as `"string"` or `["list", "number"]`. */
  type: Json;
  sensitive: boolean;
  extra?: JsonObject;
}

export interface ResourceState {
  mode: "managed" | "data";
  type: string;
  name: string;
  /** Address of the module that declares it, such as `module.web["eu"]`; left out in the root module. */
  module?: string;
  /** Written by Terraform up to 0.12, kept as found. */
  each?: string;
  /** Address of the provider configuration, such as `provider["registry.example/acme/acme"].alias`. */
  provider: string;
  instances: InstanceState[];
  extra?: JsonObject;
}

export interface InstanceState {
  /** The position under `count`, or the key under `for_each`. */
  indexKey?: number | string;
  /** Eight hexadecimal digits, on an object that waits for its deletion after a replacement was created. */
  deposed?: string;
  status?: "tainted";
  schemaVersion: number;
  attributes: Record<string, Json>;
  sensitivePaths: SensitivePath[];
  /** What the provider wants to find again: base64, kept byte for byte. */
  private?: string;
  /** Addresses of resources without keys, such as `module.web.acme_thing.one`. */
  dependencies: string[];
  createBeforeDestroy?: boolean;
  /** Keys that this version does not know (a resource identity of Terraform 1.12, for one), kept as found. */
  extra?: JsonObject;
}

/** The way to a sensitive value inside an instance's attributes. */
export type SensitivePath = readonly SensitiveStep[];

/** One step: an object's attribute, or an element's position or key. The type is told where the index is neither. */
export type SensitiveStep = { readonly attribute: string } | { readonly index: Json; readonly type?: Json };

/** A state with nothing in it, and a lineage of its own. */
export function emptyState(): State {
  return {
    serial: 0,
    lineage: randomUUID(),
    terraformVersion: FOLLOWED_TERRAFORM_VERSION,
    outputs: {},
    resources: [],
  };
}
