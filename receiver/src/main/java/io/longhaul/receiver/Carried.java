package io.longhaul.receiver;

import io.longhaul.protocol.call.Call.CallTool;
import io.longhaul.protocol.call.Call.GetPrompt;
import io.longhaul.protocol.call.Call.Interactive;
import io.longhaul.protocol.call.Call.Keep;
import io.longhaul.protocol.call.Call.ReadResource;
import io.longhaul.protocol.call.Call.TaskWish;
import io.longhaul.protocol.json.JsonDigest;
import io.longhaul.protocol.json.JsonWriter;
import java.util.HexFormat;

/** What a state that a client carries between the rounds of a call is bound to. */
public final class Carried {

    private Carried() {}

    /** Who calls what: a carried state is good for nothing else. */
    static String binding(Visit visit, Interactive call) {
        return visit.principal().name() + "\n" + digest(call);
    }

    /** The same for where a call goes on, so that neither is taken for the other. */
    public static String partBinding(Visit visit, CallTool call) {
        return "part\n" + binding(visit, call);
    }

    /** What is called with what, whoever calls. */
    static String digest(Interactive call) {
        var asked = new JsonWriter().beginObject();
        switch (call) {
            case CallTool tool -> {
                asked.name("tool").string(tool.tool());
                asked.name("arguments").raw(tool.arguments());
                Keep keep = tool.wish() instanceof TaskWish.Terms terms && !terms.joins() ? terms.keep() : null;
                if (keep != null) {
                    asked.name("ttl").number(keep.time().toMillis());
                }
            }
            case ReadResource read -> asked.name("resource").string(read.uri());
            case GetPrompt get -> {
                asked.name("prompt").string(get.prompt()).name("arguments").beginObject();
                get.arguments().forEach((name, value) -> asked.name(name).string(value));
                asked.endObject();
            }
        }
        return HexFormat.of().formatHex(JsonDigest.sha256(asked.endObject().toJson()));
    }
}
