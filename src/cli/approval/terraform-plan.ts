import { createHash, scryptSync } from "node:crypto";
import {
  type AddressedProvider,
  canonicalJson,
  declaredService,
  type PlanPart,
  partsOfPlan,
  type ResourceChange,
} from "../../engine";
import { parseJson } from "../../json";
import { ADDRESS_ATTRIBUTE, ADDRESS_VARIABLE, PROVIDER_SOURCE } from "../../provider";
import type { Terminal } from "../terminal/terminal";
import type { PlanPlace } from "./changes";

/** The source of Steward's provider, and the name of its argument for the service's address. */
const OWN: AddressedProvider = {
  source: PROVIDER_SOURCE,
  attribute: ADDRESS_ATTRIBUTE,
  variable: ADDRESS_VARIABLE,
};

type PlanObject = Parameters<typeof partsOfPlan>[0];

/** A plan in the format of `terraform show -json`, with all parts that an approval has to contain. */
export class TerraformPlan {
  readonly #json: PlanObject;
  /**
   * The content of each part of the plan besides its changes, by name. The content is plain text, or a hash if people may not
   * read the part.
   */
  readonly parts: Readonly<Record<string, string>>;
  /** The parts of the plan that Steward can't compare with an approval, each with the reason. */
  readonly refused: readonly string[];

  constructor(
    text: string,
    private readonly env: Terminal["env"],
  ) {
    this.#json = parseJson(text) as PlanObject;
    const { parts, refused } = partsOfPlan(this.#json, OWN);
    const texts = parts.map((part) => [part.name, textOf(part)] as const);
    this.parts = Object.fromEntries([...texts].sort(([one], [other]) => (one < other ? -1 : 1)));
    this.refused = refused;
  }

  /**
   * The place where the plan would be applied. The service of Steward's objects comes from the declaration of the provider,
   * otherwise from the environment. An object of another provider has the source of that provider instead of a service.
   */
  get place(): PlanPlace {
    const addressOf = declaredService(this.#json, OWN);
    return {
      stack: undefined,
      serviceOf: ({ provider, address }: ResourceChange) => {
        if (provider !== PROVIDER_SOURCE) return provider;
        const declared = addressOf(address);
        if (declared === null) return `${provider} (the plan does not show the address)`;
        return declared ?? (this.env[ADDRESS_VARIABLE] || this.env["CI_API_V4_URL"] || provider);
      },
    };
  }

  /**
   * Returns one text for each part that differs from the approved part. A part that the plan lacks is not a difference, because
   * an interrupted apply may have completed this part. A missing condition is always a difference.
   */
  differences(approved: Readonly<Record<string, string>> = {}): string[] {
    const names = new Set([...Object.keys(approved), ...Object.keys(this.parts)]);
    return [...names].sort().flatMap((name) => {
      const [then, now] = [partAt(approved, name), partAt(this.parts, name)];
      if (then === now || (now === undefined && !name.startsWith(CHECK))) return [];
      if (now === undefined) return [`${name}: was approved, but is not in the plan`];
      return [
        `${name}: ${then === undefined ? "is in the plan, but not approved" : "differs from the approval"}`,
      ];
    });
  }
}

/**
 * The prefix in the names of parts that are conditions. A missing condition is always a difference, because a plan without it
 * checks less.
 */
const CHECK = "check ";

const partAt = (parts: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(parts, name) ? parts[name] : undefined;

/**
 * The cost parameter of scrypt for the hash of a part of a plan. The cost for sensitive values is higher. A plan has thousands
 * of parts, and only a few of them are secret.
 */
const COST = 1024;

const HASH = "hash:";

/** Returns true if the text of a part is a hash of its value. */
export const isHash = (text: string): boolean => text.startsWith(HASH);

/**
 * Returns the value of a part if people may read it, otherwise a hash of the value. Expressions of providers and variables
 * can contain secrets.
 */
function textOf({ name, value, shown }: PlanPart): string {
  if (shown !== undefined) return shown;
  const text = canonicalJson(value as Parameters<typeof canonicalJson>[0]);
  const salt = createHash("sha256").update(name).digest();
  return `${HASH}${scryptSync(text, salt, 32, { N: COST }).toString("base64")}`;
}
