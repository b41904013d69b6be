import { provideVSCodeDesignSystem, vsCodeButton, vsCodeProgressRing, vsCodeTextField } from '@vscode/webview-ui-toolkit';

/**
 * The only place that knows the webview toolkit. It registers `vscode-button`, `vscode-text-field` and `vscode-progress-ring`;
 * swapping the (archived) toolkit for another set with the same tags touches this file alone. Call once, before rendering.
 */
export function registerControls(): void {
  provideVSCodeDesignSystem().register(vsCodeButton(), vsCodeTextField(), vsCodeProgressRing());
}
