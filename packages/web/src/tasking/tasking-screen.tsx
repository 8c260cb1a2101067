import { useEffect } from "preact/hooks";
import type { ScreenProps } from "../screens/screen.ts";
import { useConsole } from "../use-console.ts";
import { CapturePanel } from "./capture-panel.tsx";
import { OrderList } from "./order-list.tsx";
import { OrderView } from "./order-view.tsx";
import { ORDERS, TaskingSide } from "./tasking-side.tsx";

/** Captures to order at `/console/tasking/FIRST-DAY/LAST-DAY`, and orders at `/console/tasking/orders/ORDER`. */
export function TaskingScreen({ parts }: ScreenProps) {
  const { areFootprintsShown } = useConsole();
  const [view = "", second = ""] = parts;
  useEffect(() => {
    // Footprints of found scenes would hide the tracks.
    const wereShown = areFootprintsShown.peek();
    areFootprintsShown.value = false;
    return () => {
      areFootprintsShown.value = wereShown;
    };
  }, []);
  if (view !== ORDERS) return <CapturePanel days={{ start: view, end: second }} />;
  return <TaskingSide>{second === "" ? <OrderList /> : <OrderView key={second} orderId={second} />}</TaskingSide>;
}
