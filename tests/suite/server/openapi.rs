//! The description of the API is complete and fits this server.

use serde_json::Value;

use super::Server;

/// The targets of all references in a document.
fn references(document: &Value, into: &mut Vec<String>) {
    match document {
        Value::Object(fields) => {
            into.extend(fields.get("$ref").and_then(Value::as_str).map(str::to_owned));
            fields.values().for_each(|field| references(field, into));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, into)),
        _ => {}
    }
}

/// A value that a parameter takes.
fn example(name: &str, schema: &Value) -> String {
    match name {
        "game" => "ttt".to_owned(),
        "size" => "3x3".to_owned(),
        "parameters" => "3-3-3".to_owned(),
        "board" => ".../.../...".to_owned(),
        "timeout" => "5".to_owned(),
        _ if schema["type"] == "integer" => schema["minimum"].to_string(),
        _ if schema["type"] == "boolean" => "false".to_owned(),
        _ => schema["enum"][0].as_str().unwrap_or_default().to_owned(),
    }
}

#[test]
fn the_description_names_every_address_with_the_parameters_it_takes() {
    // Searches of some games last until the time limit.
    let server = Server::start(&["--limit", "1"]);
    let told = server.json("/api/v1/openapi.json");
    assert_eq!(told["openapi"], "3.1.0");
    let mut targets = Vec::new();
    references(&told, &mut targets);
    assert!(targets.len() > 30, "{targets:?}");
    for target in targets {
        let path = target.strip_prefix('#').unwrap_or_else(|| panic!("{target}"));
        assert!(told.pointer(path).is_some(), "{target}");
    }
    let (mut addresses, mut asked) = (0, 0);
    for (path, methods) in told["paths"].as_object().unwrap() {
        for (method, address) in methods.as_object().unwrap() {
            addresses += 1;
            for parameter in address["parameters"].as_array().unwrap() {
                let name = parameter["name"].as_str().unwrap();
                let schema = &parameter["schema"];
                let schema = schema.get("anyOf").map_or(schema, |any| &any[0]);
                let value = example(name, schema);
                // The description of a parameter ends with the games that have it: here the first.
                let about = parameter["description"].as_str().unwrap();
                let owner = about.rsplit(": ").next().unwrap().split(", ").next().unwrap();
                let names = told["paths"]["/api/v1/position"]["get"]["parameters"][0].clone();
                let names = names["schema"]["enum"].as_array().unwrap();
                let owner = if names.iter().any(|name| name == owner) { owner } else { "ttt" };
                let game = match name {
                    "game" | "pos" => String::new(),
                    // Only other games have positions as text.
                    "position" => continue,
                    _ => format!("game={owner}&"),
                };
                asked += 1;
                let target = format!("{path}?{game}{name}={value}");
                let (status, said) = match &method[..] {
                    "get" => server.get(&target),
                    _ => server.post(&target, r#"{"moves": []}"#),
                };
                // Some games are too large for an answer, or for one in time on a busy machine.
                let no_answer = ["take a smaller board", "within the time limit"];
                let is_known = status == 200 || no_answer.iter().any(|no| said.contains(no));
                assert!(is_known, "{method} {target}: {status} {said}");
            }
        }
    }
    assert!(addresses == 8 && asked > 30, "{addresses} {asked}");
    // The schema of an answer comes from its type.
    let schemas = &told["components"]["schemas"];
    let outcome = &schemas["Value"]["properties"]["outcome"];
    assert_eq!(outcome["type"], "string");
    let required = schemas["ErrorDocument"]["required"].as_array().unwrap();
    assert_eq!(required, &["error"]);
}
