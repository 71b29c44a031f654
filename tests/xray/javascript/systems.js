/* systems.js */

test("long names lose their middle", () => {
  equal(middle("short"), "short");
  equal(middle("abcdefghij", 7), "abc…hij");
  equal(middle("😀😀😀😀😀😀", 5), "😀😀…😀😀");
});

test("names that would look the same stay whole", () => {
  const long = "the-first-of-many-x-systems-with-a-long-name";
  const other = long.replace("-x-", "-y-");
  equal(shortNames([long, "a"]), ["the-first-of-m…h-a-long-name", "a"]);
  equal(shortNames([long, other]), [long, other]);
  equal(shortNames(["a\u202e"]), ["a\\u202e"]);
});
