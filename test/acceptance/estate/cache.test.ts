import { cacheIsRight } from "./cache";
import { embedded } from "./runner";

describe("under the embedded engine", () => cacheIsRight(async (service) => embedded(service)));
