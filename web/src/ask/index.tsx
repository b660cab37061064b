/** Ask, do not configure: five questions, and an answer in words. */

import { Refused } from "../parts/entry";
import { problem, state } from "./state";
import { Answer } from "./Answer";
import { Questions } from "./Questions";
import "./ask.css";

export default function Ask() {
  return (
    <Refused.Provider value={problem}>
      <div class="ask">{state.value.asked ? <Answer /> : <Questions />}</div>
    </Refused.Provider>
  );
}
