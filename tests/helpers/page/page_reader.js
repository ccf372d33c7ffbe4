// Reads the page as drawn, once it has drawn this sequence number. See page_reader.py.

async (sequence) => {
  await new Promise((resolve) => {
    const look = () => {
      if (Number(document.body.dataset.sequence) < sequence) return;
      changes.disconnect();
      resolve();
    };
    const changes = new MutationObserver(look);
    changes.observe(document.body, { attributes: true });
    look();
  });

  const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
  const one = (selector, root = document) => root.querySelector(selector);
  const line = (text) => text.split(/\s+/).filter(Boolean).join(" ");
  const isSeen = (node) => Boolean(node) && node.checkVisibility();
  const text = (node) => (isSeen(node) ? line(node.innerText) : null);
  const texts = (selector) => all(selector).filter(isSeen).map(text);
  const middle = (node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };

  // --- The market ---
  const market = one("#market");
  const labels = all(".coordinate", market).map((node) => ({ name: node.textContent, at: middle(node) }));
  const nearest = (known, axis, at) =>
    labels.filter(({ name }) => known.includes(name)).reduce((best, next) =>
      Math.abs(next.at[axis] - at) < Math.abs(best.at[axis] - at) ? next : best).name;
  const squareAt = ([x, y]) => nearest("abcdefg", 0, x) + nearest("1234567", 1, y);
  const squares = all(".squares rect", market).map((node) => ({ name: squareAt(middle(node)), at: middle(node) }));
  const covered = (node) => {
    const { left, right, top, bottom } = node.getBoundingClientRect();
    return squares.filter(({ at: [x, y] }) => left < x && x < right && top < y && y < bottom)
      .map(({ name }) => name).sort();
  };
  const rug = (node) => {
    const ground = one("rect.ground", node);
    return { colour: Array.from(node.classList)[1], fill: getComputedStyle(ground).fill, squares: covered(ground) };
  };
  const badges = (kind) => all(`.badge.${kind}`, market).map((node) => [squareAt(middle(node)), line(node.textContent)]);
  const framed = (kind) => all(`.outline.${kind} .fill`, market).flatMap(covered).sort();
  const facing = (assam) => {
    const [[x, y], [ahead, down]] = [middle(one(".robe", assam)), middle(one(".slippers", assam))];
    if (Math.abs(ahead - x) > Math.abs(down - y)) return ahead > x ? "east" : "west";
    return down > y ? "south" : "north";
  };
  const assam = all(".assam", market).map((node) => [squareAt(middle(one(".robe", node))), facing(node)]);

  // --- Players ---
  const figure = (kind, player) => text(one(`.${kind} dd`, player));
  const players = all("#players > li").filter(isSeen).map((player) => ({
    called: text(one(".called", player)),
    remark: text(one(".remark", player)),
    weaves: all("h3 .swatch rect", player).map((node) => node.getAttribute("fill")),
    dirhams: figure("dirhams", player),
    visible: figure("visible", player),
    score: figure("score", player),
    rugs: all(".rugs dd", player).map((node) => line(node.textContent)),
  }));
  const payment = one("#payment");
  const cells = (row) => Array.from(row.children, (cell) => line(cell.textContent));

  return {
    sequence: Number(document.body.dataset.sequence),
    title: text(one("#title")),
    todo: texts("#todo li"),
    news: texts("#news li"),
    refused: text(one("#refused")),
    trouble: texts("#trouble li"),
    simulated: text(one("#simulated")),
    link: text(one("#link")),
    squares: squares.map(({ name }) => name),
    rugs: all(":scope > g:not(.light) .rug", market).map(rug),
    assam: assam.length ? assam[0] : null,
    steps: all(".step", market).map((node) => squareAt(middle(node))),
    hasLine: all("path.walk", market).length > 0,
    counted: badges("counted"),
    owed: framed("owed"),
    previews: badges("preview"),
    offered: all(".light .rug.offered", market).map(rug),
    lifted: framed("lift"),
    signs: all(".badge.sign text", market).map((node) => node.textContent),
    players,
    payment: isSeen(payment) ? {
      parties: all(".party", payment).map(text),
      amount: text(one(".amount", payment)),
      sum: text(one(".sum", payment)),
    } : null,
    odds: all("#odds tbody tr").filter(isSeen).map((row) => cells(row).map((cell) => cell.replaceAll(" ", ""))),
    final: all("#final tbody tr").filter(isSeen).map(cells),
    isTooWide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
  };
}
