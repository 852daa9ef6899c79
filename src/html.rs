//! Text of HTML pages.

/// Replaces the characters that XML does not allow, so that a page can be checked as XML.
pub fn plain(text: &str) -> String {
    let allowed = |c: char| !c.is_control() || c == '\n' || c == '\t';
    text.chars().map(|c| if allowed(c) { c } else { '\u{fffd}' }).collect()
}

#[cfg(test)]
mod tests {
    use maud::html;

    #[test]
    fn text_stands_for_itself() {
        let text = super::plain("<script>\"&'\u{0}");
        let page = html! { p title=(text) { (text) } }.into_string();
        let escaped = "&lt;script&gt;&quot;&amp;'\u{fffd}";
        assert_eq!(page, format!("<p title=\"{escaped}\">{escaped}</p>"));
    }
}
