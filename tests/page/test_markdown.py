"""Discord's markdown, as parsed by the page's own module."""

import pytest
from playwright.async_api import Browser

from tests.needs import needs_chromium
from tests.page.stage import stage, tab

pytestmark = [needs_chromium, pytest.mark.asyncio(loop_scope="module")]

# Pairs of text and resulting markup, in a short notation: <m> is a mention, <e> an emoji, <t> a time.
CASES = [
    ("plain", "<p>plain</p>"),
    ("**a** *b* _c_ __d__ ~~e~~", "<p><strong>a</strong> <em>b</em> <em>c</em> <u>d</u> <s>e</s></p>"),
    ("***both***", "<p><strong><em>both</em></strong></p>"),
    ("snake_case_name 2 * 3 * 4", "<p>snake_case_name 2 * 3 * 4</p>"),
    (r"\*no\* \<@1>", "<p>*no* <@1></p>"),
    ("`a **b**` ``c`d``", "<p><code>a **b**</code> <code>c`d</code></p>"),
    ("# A\n## B\n### C\n-# d", "<h1>A</h1><h2>B</h2><h3>C</h3><sub>d</sub>"),
    ("#not a header\n#### nor this", "<p>#not a header\n#### nor this</p>"),
    ("> a\n> **b**\nc", "<q><p>a\n<strong>b</strong></p></q><p>c</p>"),
    (">>> a\nb", "<q><p>a\nb</p></q>"),
    ("- a\n  - b\n- c", "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>"),
    ("- a\n1. b\n2. c", "<ul><li>a</li></ul><ol><li>b</li><li>c</li></ol>"),
    ("```py\nx = 1\n```", "<pre>x = 1</pre>"),
    ("a ```b``` c", "<p>a </p><pre>b</pre><p> c</p>"),
    ("||hidden **x**||", "<p><spoiler>hidden <strong>x</strong></spoiler></p>"),
    ("[a](https://example.org/x_(y)) <https://example.org>", "<p><a>a</a> <a>https://example.org</a></p>"),
    ("see https://example.org/a, or not", "<p>see <a>https://example.org/a</a>, or not</p>"),
    ("[https://good.example](https://bad.example)", "<p>[https://good.example](https://bad.example)</p>"),
    ("[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>"),
    ("<@1> <@!1> <@&2>", "<p><m>user 1</m> <m>user 1</m> <m>role 2</m></p>"),
    ("<#3> </coyote new:4>", "<p><m>channel 3</m> <m>/coyote new</m></p>"),
    ("@everyone a@everyone", "<p><m>@everyone</m> a@everyone</p>"),
    ("<:feather:5> <a:wolf:6>", "<p><e>feather</e> <e>wolf</e></p>"),
    ("<t:0:R> <t:7>", "<p><t>0 R</t> <t>7 f</t></p>"),
    ("**unclosed __and *so* on", "<p>**unclosed __and <em>so</em> on</p>"),
    ("Ana **7** · Chloé **−5** · ×2", "<p>Ana <strong>7</strong> · Chloé <strong>−5</strong> · ×2</p>"),
]

READ = """
async (texts) => {
  const { parse } = await import("/static/js/markdown.js");
  const tags = { strong: "strong", em: "em", underline: "u", strike: "s", quote: "q", paragraph: "p", subtext: "sub" };
  const all = (nodes) => nodes.map(one).join("");
  const list = (node) => {
    const tag = node.ordered ? "ol" : "ul";
    const items = node.items.map((item) => `<li>${all(item.children)}${item.sub ? list(item.sub) : ""}</li>`);
    return `<${tag}>${items.join("")}</${tag}>`;
  };
  const one = (node) => {
    switch (node.type) {
      case "text": return node.text;
      case "code": case "pre": return `<${node.type}>${node.text}</${node.type}>`;
      case "link": return `<a>${all(node.children)}</a>`;
      case "list": return list(node);
      case "command": return `<m>/${node.name}</m>`;
      case "everyone": return `<m>@${node.name}</m>`;
      case "emoji": return `<e>${node.name}</e>`;
      case "stamp": return `<t>${node.seconds} ${node.style}</t>`;
      case "user": case "role": case "channel": return `<m>${node.type} ${node.id}</m>`;
      default: return `<${tags[node.type] ?? node.type}>${all(node.children)}</${tags[node.type] ?? node.type}>`;
    }
  };
  return texts.map((text) => all(parse(text)));
}
"""


async def test_markdown_is_parsed_as_on_discord(browser: Browser) -> None:
    async with stage() as here, tab(browser, here.url) as page:
        got = await page.evaluate(READ, [text for text, _ in CASES])
        assert dict(zip([text for text, _ in CASES], got, strict=True)) == dict(CASES)


async def test_a_message_full_of_markdown_characters_is_parsed(browser: Browser) -> None:
    async with stage() as here, tab(browser, here.url) as page:
        nasty = [
            "*" * 4000,
            "[" * 4000,
            "||" * 2000,
            "**_~~||`" * 500,
            "> " * 2000,
            "- \n" * 1300,
            "<@" * 2000,
            "`" * 3999,
        ]
        for text in nasty:
            parsed = await page.evaluate(
                """async (text) => {
                  const { parse } = await import("/static/js/markdown.js");
                  return Array.isArray(parse(text));
                }""",
                text,
            )
            assert parsed, text[:8]
