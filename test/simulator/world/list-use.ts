import { changeByHand } from "../actors/hand";
import { useList } from "../actors/list-user";
import * as ofLists from "../invariants/of-lists";
import type { Network } from "../network/network";
import type { SimulatedService } from "../network/service";
import type { Hand, ListUse } from "../story/story";
import type { Simulation } from "../time/simulation";
import { ListHistory } from "./list-history";
import type { Finding } from "./records";

const environment = (hand: Hand["hand"], key: string): Hand => ({
  hand,
  thing: { kind: "environment", at: "web", key, content: 1 },
});

/** The parts of a world that the use of a list needs. */
interface Surroundings {
  readonly simulation: Simulation;
  readonly network: Network;
  readonly service: SimulatedService;
  report(invariant: string, finding: Finding): void;
}

/**
 * Lets parts of one run use a list concurrently while people change it. Then checks the rules for the results of the
 * reads.
 */
export async function playListUse(
  world: Surroundings,
  { there, tasks, hands, faults = [] }: ListUse,
): Promise<void> {
  const { simulation, network, service } = world;
  for (const key of there) changeByHand(service, environment("add", key));
  const history = new ListHistory(service.database);
  const { onService } = network;
  network.onService = (exchange, answer) => {
    const given = onService?.(exchange, answer) ?? answer();
    if (exchange.method !== "GET") history.observe(true);
    return given;
  };
  for (const { after, hand, key } of hands)
    simulation.inTheWorld(after, () => {
      changeByHand(service, environment(hand, key));
      history.observe(false);
    });
  const started = simulation.start("use of a list", () => useList(tasks, history), {
    prepare: (process) => network.disturb(process, faults),
  });
  const stuck = await simulation.finish([started]);
  await simulation.calm();
  network.onService = onService;
  if (started.result !== undefined && "error" in started.result) throw started.result.error;
  if (stuck.length > 0) world.report("everyRunEnds", "the use of a list does not end");
  for (const [name, rule] of Object.entries(ofLists)) world.report(name, rule(history));
}
