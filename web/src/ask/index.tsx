/** Ask, do not configure: five questions, and an answer in words. */

import { state } from "./state";
import { Answer } from "./Answer";
import { Questions } from "./Questions";
import "./ask.css";

export default function Ask() {
  return <div class="ask">{state.value.asked ? <Answer /> : <Questions />}</div>;
}
