import { describeWith } from "../../support/capabilities";
import { cacheIsRight } from "./cache";
import { terraform } from "./runner";

describeWith("engine", "under Terraform", (engine) => cacheIsRight((service) => terraform(service, engine)));
