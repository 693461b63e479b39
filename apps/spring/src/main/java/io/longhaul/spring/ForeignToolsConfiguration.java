// SPDX-License-Identifier: Apache-2.0
package io.longhaul.spring;

import io.modelcontextprotocol.server.McpServerFeatures;
import io.modelcontextprotocol.server.McpServerFeatures.AsyncToolSpecification;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import org.springframework.ai.mcp.annotation.McpTool;
import org.springframework.ai.mcp.annotation.provider.tool.SyncMcpToolProvider;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Serves tools written for Spring AI or the official Java SDK, if the application has those libraries. */
@Configuration(proxyBeanMethods = false)
class ForeignToolsConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(McpServerFeatures.class)
    static class OfSdk {

        @Bean
        McpServerCustomizer longhaulSdkTools(
                ObjectProvider<SyncToolSpecification> sync,
                ObjectProvider<AsyncToolSpecification> async,
                LongRunningNames longRunning) {
            var tools = new SdkTools(longRunning);
            return server -> {
                sync.orderedStream().map(tools::tool).forEach(server::tool);
                async.orderedStream().map(tools::tool).forEach(server::tool);
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ToolCallback.class)
    static class OfSpringAi {

        @Bean
        McpServerCustomizer longhaulToolCallbacks(
                ObjectProvider<ToolCallback> callbacks,
                ObjectProvider<ToolCallbackProvider> providers,
                LongRunningNames longRunning) {
            var tools = new CallbackTools(longRunning);
            return server -> tools.of(callbacks, providers).forEach(server::tool);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({McpTool.class, McpServerFeatures.class})
    static class OfSpringAiAnnotations {

        @Bean
        McpServerCustomizer longhaulSpringAiTools(ConfigurableListableBeanFactory beans, LongRunningNames longRunning) {
            var tools = new SdkTools(longRunning);
            return server -> {
                var marked = new BeanTools(beans).having(McpTool.class);
                // The provider would log a warning if there were no tools.
                if (!marked.isEmpty()) {
                    new SyncMcpToolProvider(marked)
                            .getToolSpecifications().stream().map(tools::tool).forEach(server::tool);
                }
            };
        }
    }
}
