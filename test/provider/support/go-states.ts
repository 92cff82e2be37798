import { readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import type { Value, ValueObject } from "../../../src/schema";
import { type Http, TOKEN } from "./world";

/** A live object in a state of the official Go provider, and its declaration for Steward. */
export interface GoState {
  readonly from: string;
  readonly schemaVersion: number;
  readonly to: string;
  /** Creates the object. Returns its attributes in the form of the Go provider's state. */
  make(http: Http): Promise<ValueObject>;
  /** The declaration for Steward. Omitted attributes are null. */
  readonly config: ValueObject;
  readonly id: string;
}

interface Row extends Omit<GoState, "make"> {
  readonly requests: readonly string[];
  readonly state: ValueObject;
}

const rows = parse(readFileSync(path.join(__dirname, "go-states.yaml"), "utf8")) as Readonly<
  Record<string, Row>
>;

/** The states by their special property. go-states.yaml describes them. */
export const GO_STATES: Readonly<Record<string, GoState>> = Object.fromEntries(
  Object.entries(rows).map(([what, { requests, state, ...row }]) => [
    what,
    {
      ...row,
      async make(http) {
        const answers: unknown[] = [];
        for (const request of requests) {
          const [, method = "", at = "", body] = /^(\w+) (\S+)(?: (.*))?$/s.exec(request)!;
          answers.push(
            await http(method, at, body && parse(body), method === "GET" ? TOKEN.maintainer : undefined),
          );
        }
        const found = (steps: string): unknown =>
          steps
            .split(" ")
            .reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], answers);
        return JSON.parse(JSON.stringify(state), (_, value: Value) => {
          const [, steps] = (typeof value === "string" && /^<(.*)>$/.exec(value)) || [];
          return steps === undefined ? value : found(steps);
        }) as ValueObject;
      },
    },
  ]),
);

export const GO_PROVIDER = "registry.terraform.io/gitlabhq/gitlab";
