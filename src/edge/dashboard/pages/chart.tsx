/** A curve over the last minutes, drawn by uPlot in the colours of the page. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type uPlot from 'uplot';

interface ChartProps {
  /** Instants in seconds, and a value for each. */
  readonly columns: [number[], number[]];
  /** What it shows, in a sentence, for who cannot see it. */
  readonly label: string;
  readonly say: (value: number) => string;
}

const HEIGHT = 168;
/** A curve that has just begun is not stretched over the whole width. */
const SECONDS_LEAST = 60;
const STEPS = [10, 30, 60, 120, 300];
/** Pixels: the last instant on the axis stands half beyond it. */
const CLOCK_HALF = 28;
const AXIS_FONT = '11px system-ui, sans-serif';

export function Chart({ columns, label, say }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const scheme = useScheme();
  const shown = useRef(columns);
  shown.current = columns;
  // Drawn anew for other colours only; what it shows is set below. Fetched apart: the numbers
  // do not wait for it, and stay where it does not start (a browser without a language).
  useEffect(() => {
    const element = place.current as HTMLDivElement;
    let made: uPlot | undefined;
    let isGone = false;
    const resize = () => made?.setSize({ width: element.clientWidth, height: HEIGHT });
    const watch = new ResizeObserver(resize);
    import('uplot').then(
      ({ default: Plot }) => {
        if (isGone) return;
        made = new Plot(optionsFor(element, say), shown.current, element);
        plot.current = made;
        watch.observe(element);
      },
      () => element.classList.add('without'),
    );
    return () => {
      isGone = true;
      watch.disconnect();
      made?.destroy();
    };
  }, [scheme]);
  useEffect(() => plot.current?.setData(columns), [columns]);
  return <div class="chart" ref={place} role="img" aria-label={label} />;
}

function useScheme(): string {
  const query = matchMedia('(prefers-color-scheme: dark)');
  const [scheme, setScheme] = useState(query.matches ? 'dark' : 'light');
  useEffect(() => {
    const hear = () => setScheme(query.matches ? 'dark' : 'light');
    query.addEventListener('change', hear);
    return () => query.removeEventListener('change', hear);
  });
  return scheme;
}

function optionsFor(element: HTMLElement, say: ChartProps['say']): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const [ink, line] = [colour('--quiet'), colour('--line')];
  const axis = { stroke: ink, font: AXIS_FONT, ticks: { show: false } };
  return {
    ...{ width: element.clientWidth, height: HEIGHT, padding: [8, CLOCK_HALF, 0, 0] },
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { range: (_plot, min, max) => [Math.min(min, max - SECONDS_LEAST), max] },
      y: { range: (_plot, _min, max) => [0, niceTop(max)] },
    },
    series: [
      {},
      {
        ...{ stroke: colour('--accent'), fill: colour('--accent-soft'), width: 1.5 },
        points: { show: false },
      },
    ],
    axes: [
      {
        ...axis,
        ...{ grid: { show: false }, space: 80, size: 24, incrs: STEPS },
        values: (_plot, values) => values.map(clockOf),
      },
      {
        ...axis,
        ...{ grid: { stroke: line, width: 1 }, size: 64, space: 36 },
        values: (_plot, values) => values.map((value) => (value === 0 ? '0' : say(value))),
      },
    ],
  };
}

function clockOf(seconds: number): string {
  return new Date(seconds * 1_000).toTimeString().slice(0, 8);
}

/** Room above the curve, and an axis that has one while nothing moves. */
function niceTop(max: number): number {
  return Number.isFinite(max) && max > 0 ? max * 1.15 : 1;
}
