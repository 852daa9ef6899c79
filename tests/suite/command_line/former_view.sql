CREATE VIEW solution (game_id, game, size, line, ply, key, to_move, outcome, remoteness, best) AS
-- The solved positions of this database of everyply, in words. Try
--   SELECT * FROM solution LIMIT 5
--
-- Values are proven. Of positions that are images of each other (mirrored, turned) the one with
-- the lowest key is here. `analyze sql FILE QUERY` adds functions: board(game_id, key) draws a
-- position, moves(game_id, key) plays to it.
--
-- The tables below this view: `position` has its rows in numbers (outcome 1, 0, -1; best moves as
-- the bits of a number), `bound` what is known of positions without a value. `run` lists the
-- commands that wrote here, `task` what each was asked for; `ply_count`, `search_iteration` and
-- `root_move` are what each counted and found. `span`, `tally` and `digest` are checksums, by
-- which a change from outside is noticed: write to this file with everyply alone.
WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 64)
SELECT
    -- Which game: one board of one set of rules.
    game.id,
    -- 'connect4', 'ttt' (any board of cells on which k in a row win), ...
    game.name,
    -- Columns x rows, and how many in a row win; other games count in their own way.
    game.width || 'x' || game.height,
    game.line,
    -- Stones on the board; in other games how much less play can be left than at the start.
    position.ply,
    -- The position: equal keys of one game are equal positions.
    position.key,
    -- X moves first; NULL in games of another kind.
    CASE WHEN game.name IN ('connect4', 'ttt') THEN substr('XO', position.ply % 2 + 1, 1) END,
    -- For the side to move.
    CASE position.outcome WHEN 1 THEN 'win' WHEN 0 THEN 'draw' ELSE 'loss' END,
    -- Plies to the end when the winner hurries and the loser delays; NULL where that is not known,
    -- or a draw is one by play without an end.
    position.remoteness,
    -- All best moves: columns, or cells row by row from the top left, counted from 1. Empty when
    -- the game is over, NULL where they are not known and in games of another kind.
    CASE WHEN game.name IN ('connect4', 'ttt') AND position.best IS NOT NULL THEN
        coalesce((SELECT group_concat(n, ' ') FROM number WHERE position.best >> (n - 1) & 1), '')
    END
FROM game CROSS JOIN position ON position.game_id = game.id