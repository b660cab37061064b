/** The words of the page. Another language is another file of the shape of `en`. */

import { en } from "./en";

export const t = en;
