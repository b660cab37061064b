import { render } from "preact";
import "uplot/dist/uPlot.min.css";
import "./style.css";
import "./parts/forget";
import { Shell } from "./shell";

render(<Shell />, document.getElementById("app")!);
