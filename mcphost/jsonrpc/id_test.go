package jsonrpc_test

import (
	"encoding/json"
	"testing"

	"gatehouse/mcphost/jsonrpc"
)

func TestIDKeepsItsText(t *testing.T) {
	for _, text := range []string{
		"0", "-0", "1", "-1", "9223372036854775807", "9223372036854775808", "123456789012345678901234567890",
		`""`, `"1"`, `"a b"`, `"\u00e9"`, `"é"`, `"\/"`,
	} {
		id, err := jsonrpc.ParseID([]byte(text))
		if err != nil || id.String() != text || id.IsZero() {
			t.Errorf("%s: %s, %v", text, id, err)
		}
		if out, err := json.Marshal(id); err != nil || string(out) != text {
			t.Errorf("%s: marshals as %s, %v", text, out, err)
		}
		var back jsonrpc.ID
		if err := json.Unmarshal([]byte(text), &back); err != nil || back != id {
			t.Errorf("%s: unmarshals as %s, %v", text, back, err)
		}
	}
	for _, text := range []string{"", "null", "1.0", "1e2", "true", "[]", "{}", "01", `"`, "1 2", "\"\xff\""} {
		if id, err := jsonrpc.ParseID([]byte(text)); err == nil || !id.IsZero() {
			t.Errorf("%s accepted as %s", text, id)
		}
	}
	if jsonrpc.IntID(1) == jsonrpc.StringID("1") || jsonrpc.IntID(0).IsZero() || jsonrpc.StringID("").IsZero() {
		t.Error("ids of different kinds are the same")
	}
	var none jsonrpc.ID
	if out, _ := json.Marshal(none); string(out) != "null" || none.String() != "" {
		t.Errorf("none: %s", out)
	}
}
