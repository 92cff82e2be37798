import { HeldObjects } from "./held-objects";
import { OwnershipRegistry } from "./ownership";
import { PlannedDestroys } from "./planned-destroys";

/** Who declares and who holds what on one service, and the ids of its paths. */
export class ServiceOwnership {
  readonly paths = new Map<string, number>();
  readonly claims = new OwnershipRegistry();
  readonly departures = new PlannedDestroys();
  readonly holdings = new HeldObjects();
}

/** The ownership of one run, by service: all clients of a service share it, however they are configured. */
export class SharedOwnership {
  readonly #services = new Map<string, ServiceOwnership>();

  /** @param address the address of the service */
  of(address: string): ServiceOwnership {
    const known = this.#services.get(address) ?? new ServiceOwnership();
    this.#services.set(address, known);
    return known;
  }
}
