/** Ask, do not configure: five questions, and an answer in words. */

import { Checked } from "../parts/Checked";
import { problem, state } from "./state";
import { Answer } from "./Answer";
import { Questions } from "./Questions";
import "./ask.css";

export default function Ask() {
  return (
    <Checked class="ask" problem={problem}>
      {state.value.asked ? <Answer /> : <Questions />}
    </Checked>
  );
}
