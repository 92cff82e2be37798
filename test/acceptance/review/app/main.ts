import { App } from "cdktf";
import { Commerce } from "./commerce";
import { Data } from "./data";
import { Platform } from "./platform";
import { Storefront } from "./storefront";

const app = new App();
new Storefront(app, "storefront");
new Commerce(app, "commerce");
new Data(app, "data");
new Platform(app, "platform");
app.synth();
