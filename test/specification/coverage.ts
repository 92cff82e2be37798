import { nameOf, type Part, type Place } from "./fields";
import type { Laboratory, Scenario } from "./laboratory";

/** The result of each scenario when no part is missing, by the name of the scenario. */
export type Outcomes = Readonly<Record<string, unknown>>;

/** The names of the scenarios that fail without a part, by the name of the part. */
export type Coverage = Readonly<Record<string, readonly string[]>>;

/** Runs every scenario completely, and then once without each part of the endpoints that it uses. */
export async function measure(
  laboratory: Laboratory,
  parts: readonly Part[],
  scenarios: readonly Scenario[],
): Promise<{ readonly outcomes: Outcomes; readonly coverage: Coverage }> {
  const outcomes: Record<string, unknown> = {};
  const coverage: Record<string, string[]> = Object.fromEntries(parts.map((part) => [nameOf(part), []]));
  for (const scenario of scenarios) {
    const { outcome, asked } = await laboratory.run(scenario);
    outcomes[scenario.name] = JSON.parse(outcome);
    const endpoints = new Set(asked.map(({ method, route }) => `${method} ${route}`));
    for (const part of parts.filter(({ method, route }) => endpoints.has(`${method} ${route}`))) {
      const fails = await failsWithout(laboratory, part, scenario, outcome);
      if (fails) coverage[nameOf(part)]!.push(scenario.name);
    }
    // The result must be the same in each run. Otherwise, a random difference would count as a failure without the part.
    const again = (await laboratory.run(scenario)).outcome;
    if (again !== outcome) throw new Error(`${scenario.name} came to something else in the end: ${again}`);
  }
  return { outcomes, coverage };
}

/** Returns true if a scenario fails or has a different result when a part is missing. */
export async function failsWithout(
  laboratory: Laboratory,
  part: Part,
  scenario: Scenario,
  expected: string,
): Promise<boolean> {
  try {
    return (await laboratory.run(scenario, part)).outcome !== expected;
  } catch {
    return true;
  }
}

/** Returns a sentence with the numbers of covered parts, in total and by place. */
export function counts(parts: readonly Part[], coverage: Coverage): string {
  const places: readonly Place[] = ["endpoint", "path", "query", "body", "answer"];
  const covered = (some: readonly Part[]) =>
    some.filter((part) => (coverage[nameOf(part)] ?? []).length > 0).length;
  const each = places.map((place) => {
    const some = parts.filter((part) => part.place === place);
    return `${place} ${covered(some)} of ${some.length}`;
  });
  return `${covered(parts)} of ${parts.length} rows covered (${each.join(", ")})`;
}
