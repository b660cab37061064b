import { t } from "../texts";

export default function Door() {
  return <h1>{t.doors.building}</h1>;
}
