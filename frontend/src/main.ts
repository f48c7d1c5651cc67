import '@/styles/tokens.css';
import '@/styles/app.css';
import { mount } from 'svelte';
import AppFrame from '@/App.svelte';
import { wailsBackend } from '@/backend/wails';
import { App } from '@/state/app';

const app = new App(wailsBackend());
mount(AppFrame, { target: document.getElementById('app') ?? document.body, props: { app } });
void app.start();
