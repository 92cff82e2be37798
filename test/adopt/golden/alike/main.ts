// The live settings of alike. `steward adopt` wrote this file; from here on, it is yours to edit.
import { App, Fn, TerraformStack, TerraformVariable } from "cdktf";
import { StewardProvider } from "cdktf-provider-steward";
import type { Construct } from "constructs";
import { declareData } from "./data";
import { importLiveObjects } from "./imports";
import { declareMobile } from "./mobile";
import { declareOthers } from "./others";
import { declarePayments } from "./payments";
import { declareSearch } from "./search";
import { declareTools } from "./tools";

class AlikeStack extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new StewardProvider(this, "steward"); // address and token come from STEWARD_BASE_URL and STEWARD_TOKEN

    // The addresses of invitations are in emails.auto.tfvars.json, which is not committed.
    const emails = new TerraformVariable(this, "emails", { type: "map(string)" });
    const email = (name: string) => Fn.lookupNested(emails.value, [name]);

    declareData(this);
    declareMobile(this);
    declarePayments(this);
    declareSearch(this);
    declareTools(this, email);
    declareOthers(this, email);

    importLiveObjects(this);
  }
}

const app = new App();
new AlikeStack(app, "alike");
app.synth();
