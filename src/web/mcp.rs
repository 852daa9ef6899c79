//! A server of the Model Context Protocol on stdin and stdout: the facts of the API as tools of an
//! assistant.

use axum::extract::State;
use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData,
    Implementation, JsonObject, ListToolsResult, PaginatedRequestParams, ServerCapabilities,
    ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::{RequestContext, RoleServer, ServerInitializeError, ServiceExt};
use serde_json::{Value, json};

use super::api::{Described, answer_reply, answer_why, parameters_of_positions, read_timed};
use super::prelude::*;
use super::request::shown;
use super::text;
use super::{Explorer, Limits, ServeError, Shown, server};

/// The description of the server for the assistant.
const INSTRUCTIONS: &str = "\
Exact facts about small two-player games, proved by exhaustive search; nothing is estimated. Ask \
before you say who wins, which move is best, or how long a game lasts. Call `games` first: it \
has the names of the games, their options and the notation of moves. A position is given by the \
moves from the start. A value is win, draw or loss for the side to move (of a move: for the side \
that makes it) and the number of plies to the end with best play. A question that takes too long \
gets an error, not a guess.";

/// Serves the tools on stdin and stdout until the client leaves or `stop` returns true.
///
/// # Errors
/// If the client does not speak the protocol, or the server cannot start.
pub fn serve_mcp(shown: Shown, limits: Limits, stop: impl Fn() -> bool) -> Result<(), ServeError> {
    let explorer = Explorer { shown, searches: limits.searches() };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        tokio::select! {
            served = answer(Tools(State(Arc::new(explorer)))) => served,
            () = server::stopped(stop) => Ok(()),
        }
    });
    // A pending read of stdin and searches end with the process.
    runtime.shutdown_background();
    served
}

async fn answer(tools: Tools) -> Result<(), ServeError> {
    match tools.serve(rmcp::transport::stdio()).await {
        Ok(running) => {
            running.waiting().await.map_err(|error| ServeError::Protocol(error.to_string()))?;
            Ok(())
        }
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(ServeError::Protocol(error.to_string())),
    }
}

struct Tools(Shared);

/// The tools, each with its name and its description.
const TOOLS: [(&str, &str); 6] = [
    ("games", "The games, with their options and the notation of their moves"),
    ("value", "The exact value of a position and its best moves"),
    ("moves", "The exact value of a position and of each of its moves"),
    ("best_play", "The moves of both sides from a position to the end with best play"),
    ("explain", "The reasons for the value of a position, in words and as facts"),
    ("play", "The move of the machine in a position, at one of four levels"),
];

fn parameters(tool: &str, explorer: &Explorer) -> Vec<Described> {
    let of_position = || parameters_of_positions(&explorer.registry);
    match tool {
        "games" => Vec::new(),
        "play" => of_position().into_iter().chain([Described::level()]).collect(),
        _ => of_position().into_iter().chain([Described::timeout()]).collect(),
    }
}

fn tool((name, about): (&'static str, &'static str), explorer: &Explorer) -> Tool {
    let parameters = parameters(name, explorer);
    let required: Vec<_> =
        parameters.iter().filter(|p| p.is_required).map(|p| p.name.clone()).collect();
    let properties = parameters.into_iter().map(|parameter| {
        let Described { name, about, mut schema, .. } = parameter;
        schema["description"] = about.into();
        (name, schema)
    });
    let properties: JsonObject = properties.collect();
    let Value::Object(schema) = json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    }) else {
        unreachable!("an object")
    };
    let facts = ToolAnnotations::new().read_only(true).open_world(false);
    Tool::new(name, about, schema).with_annotations(facts)
}

impl Tools {
    async fn ask(&self, tool: &str, given: JsonObject) -> Result<Value, ApiError> {
        let explorer = &self.0;
        let query = read_arguments(given)?;
        match tool {
            "games" => {
                query.done()?;
                Ok(json!(GamesDocument::new(&explorer.registry).map_err(ApiError::from)?))
            }
            "value" => self.value(query, Goal::BestMoves).await,
            "moves" => self.value(query, Goal::AllMoves).await,
            "best_play" => self.best_play(query).await,
            "explain" => Ok(json!(answer_why(explorer, query).await?)),
            _ => Ok(json!(answer_reply(explorer, query).await?)),
        }
    }

    /// The document that the work makes of a position; an error if its time is up.
    async fn document(
        &self,
        query: Query,
        work: impl FnOnce(&Oracle, &GameRecord, &Control) -> Result<PositionDocument, OracleError>
        + Send
        + 'static,
    ) -> Result<Value, ApiError> {
        let (record, limit) = read_timed(&self.0, query).await?;
        let (explorer, moves) = (self.0.clone(), record.asked_moves.clone());
        let work = move |control: &Control| work(&explorer.oracle, &record, control);
        match self.0.searches.run(limit, work).await? {
            Ok(document) if document.interrupted != Some(true) => {
                Ok(json!(PositionDocument { moves, ..document }))
            }
            Ok(_) | Err(OracleError::Stopped(_)) => Err(text::out_of_time()),
            Err(error) => Err(error.into()),
        }
    }

    async fn value(&self, query: Query, goal: Goal) -> Result<Value, ApiError> {
        let work = move |oracle: &Oracle, record: &GameRecord, control: &Control| {
            let (position, at) = (record.course.position(), record.length());
            let mut document = PositionDocument::ask(oracle, position, goal, control)?;
            let known = (oracle.prove(position, control)?, oracle.best_moves(position, control)?);
            document.text = Some(text::situation(record, at, &position.branches(), Ok(known)));
            Ok(document)
        };
        self.document(query, work).await
    }

    async fn best_play(&self, query: Query) -> Result<Value, ApiError> {
        let work = |oracle: &Oracle, record: &GameRecord, control: &Control| {
            let mut document = PositionDocument::new(record.course.position(), None);
            document.add_best_play(oracle, record.course.position(), control)?;
            Ok(document)
        };
        self.document(query, work).await
    }
}

/// The arguments of a tool as the parameters of a request.
fn read_arguments(given: JsonObject) -> Result<Query, ApiError> {
    let mut pairs = Vec::new();
    for (name, value) in given {
        let value = match value {
            Value::Null => continue,
            Value::String(text) => text,
            Value::Number(_) | Value::Bool(_) => value.to_string(),
            _ => {
                let error = format!("the argument '{}' is a list or an object", shown(&name));
                return Err(ApiError::refused(error));
            }
        };
        pairs.push((name, value));
    }
    Ok(Query::of_pairs(pairs))
}

impl ServerHandler for Tools {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("everyply", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(TOOLS.map(|named| tool(named, &self.0)).into()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if !TOOLS.iter().any(|(name, _)| *name == request.name) {
            let names = TOOLS.map(|(name, _)| name).join(", ");
            let error = format!("there is no tool '{}': {names}", shown(&request.name));
            return Err(ErrorData::invalid_params(error, None));
        }
        let answered = tokio::select! {
            answered = self.ask(&request.name, request.arguments.unwrap_or_default()) => answered,
            // Dropping the question stops its search.
            () = context.ct.cancelled() => Err(text::out_of_time()),
        };
        let result = match answered {
            Ok(answer) => CallToolResult::structured(answer),
            Err(error) => CallToolResult::error(vec![ContentBlock::text(error.error)]),
        };
        Ok(result.into())
    }
}
