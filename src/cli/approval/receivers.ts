import { fail } from "../../diagnostics";
import type { OpenStack } from "../../engine";
import { atMost } from "../../text";
import type { ApprovedReceivers } from "./file";

/** Collects the services and state servers that get tokens from any stack, without duplicates. */
export class Receivers {
  readonly #services = new Set<string>();
  readonly #states = new Set<string>();

  add({ services, states }: ApprovedReceivers): void {
    for (const one of services) this.#services.add(one);
    for (const one of states) this.#states.add(one);
  }

  get all(): ApprovedReceivers {
    return { services: [...this.#services].sort(), states: [...this.#states].sort() };
  }
}

/** Returns true if the approved receivers include each receiver that was found. */
export const areApproved = (found: ApprovedReceivers, approved: ApprovedReceivers): boolean =>
  found.services.every((one) => approved.services.includes(one)) &&
  found.states.every((one) => approved.states.includes(one));

/**
 * Refuses the run if a service or state would get a token without an approval. Throws before the first request, so that no
 * unapproved service or state server gets a token.
 *
 * @throws DiagnosticError `approval_differs`
 */
export async function requireReceivers(
  stacks: readonly OpenStack[],
  isApproved: (receivers: ApprovedReceivers) => boolean,
): Promise<void> {
  const all = new Receivers();
  const refused: string[] = [];
  for (const stack of stacks) {
    const receivers = await stack.receivers();
    all.add(receivers);
    const of = stack.name === undefined ? "" : `stack ${stack.name}: `;
    refused.push(
      ...receivers.unknown.map((name) => `${of}the address of ${name} is not known before a request`),
    );
  }
  const { services, states } = all.all;
  if (refused.length === 0 && isApproved(all.all)) return;
  fail({
    code: "approval_differs",
    summary: "Receivers of tokens are not approved",
    detail: [
      "The configuration sends tokens to services or states that the approved comment does not name. No token was sent. Correct the address, or run `steward ci comment` again and approve again.",
      ...atMost(
        [
          ...refused,
          ...services.map((address) => `service of the configuration: ${address}`),
          ...states.map((origin) => `states of the configuration: ${origin}`),
        ],
        MAX_NAMED,
      ),
    ],
  });
}

const MAX_NAMED = 20;
